import { summarizeArgv } from '../../../src/agent/safety/parseCommand';

const cmdsOf = (...argv: string[]) => summarizeArgv(argv).map(({ cmd }) => cmd);

describe('summarizeArgv', () => {
  it.each([
    [['yes', '|', 'npm', 'test'], ['npm test']],
    [
      ['bash', '-c', 'cat a && npm test'],
      ['cat a', 'npm test'],
    ],
    [['bash', '-c', 'ls', 'x'], ['bash -c ls x']],
    [['echo', 'a', '&&', 'npm', 'test'], ['npm test']],
    [
      ['npm', 'test', '&&', 'echo', 'a'],
      ['npm test', 'echo a'],
    ],
    [['cd', 'a', '&&', 'npm', 'test'], ['npm test']],
    [
      ['npm', 'test', '&&', 'cd', 'a'],
      ['npm test', 'cd a'],
    ],
    [['npm', 'test', '||', 'true'], ['npm test']],
    [
      ['npm', 'test', '||', 'true', 'x'],
      ['npm test', 'true x'],
    ],
    [['cat', 'a', '|', 'nl', '-ba'], ['cat a']],
    [
      ['cat', 'a', '|', 'nl', 'b'],
      ['cat a', 'nl b'],
    ],
    [['echo', 'a'], ['echo a']],
    [['cd', 'a', '&&', 'npm', 'test', ';', 'true'], ['npm test']],
  ])('of %j is %j', (argv, cmds) => {
    expect(cmdsOf(...argv)).toEqual(cmds);
  });

  it('is one unknown command for more than 200', () => {
    const many = (count: number) => Array.from({ length: count }, () => ['a', ';']).flat();
    expect(cmdsOf(...many(200))).toHaveLength(200);
    expect(summarizeArgv(many(201))).toEqual([{ type: 'unknown', cmd: expect.stringContaining('a ') }]);
  });
});
