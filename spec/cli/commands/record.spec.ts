import { record } from '../../../src/cli/commands/record';
import { givenBy, problemBy } from '../reading';

describe('record', () => {
  it('takes the command behind --, with its options', () => {
    expect(givenBy(record, '-q', '-o', 't.jsonl', '--', 'server', '-o', 'x')).toEqual({
      out: 't.jsonl',
      redact: false,
      quiet: true,
      command: ['server', '-o', 'x'],
    });
  });

  it.each([
    [[], 'There is no server to run: write its command behind --'],
    [['--'], 'There is no server to run: write its command behind --'],
    [['server'], 'server is one word too many'],
    [['--out', '--', 'x'], '--out needs a value'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(record, ...argv)).toBe(problem);
  });
});
