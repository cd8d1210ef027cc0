import { marbles } from '../../../src/cli/commands/marbles';
import { givenBy, problemBy } from '../reading';

describe('marbles', () => {
  it('takes a span of time and another server', () => {
    expect(givenBy(marbles, 't', '--from', '0', '--to', '9000', '--runner', 'jest', '--', 'node', 's.js')).toEqual({
      file: 't',
      more: [],
      session: undefined,
      from: 0,
      to: 9000,
      thread: undefined,
      against: 'command',
      runner: 'jest',
      'trust-tape': false,
      out: undefined,
      command: ['node', 's.js'],
    });
  });

  it('takes more recordings', () => {
    expect(givenBy(marbles, 'a', 'b', 'c', '-o', 'x')).toMatchObject({ file: 'a', more: ['b', 'c'], out: 'x' });
  });

  it.each([
    [[], 'FILE is missing'],
    [['-', '-'], 'only one of the files can be stdin'],
    [['a', 'b', '--from', '2'], '--from, --to and --thread select a part of one recording: name one file'],
    [['t', '--from', '2', '--to', '1'], '--to must not be before --from'],
    [['t', '--from', '-1'], '--from must be a number from 0'],
    [
      ['t', '--runner', 'vitest', '-o', 'x.test.cjs'],
      'vitest cannot be required: name a file that ends with .mjs or .ts',
    ],
    [['t', '--against', 'nothing'], '--against must be command or tape; it is nothing'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(marbles, ...argv)).toBe(problem);
  });
});
