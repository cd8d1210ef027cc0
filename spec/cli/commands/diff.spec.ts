import { diff } from '../../../src/cli/commands/diff';
import { givenBy, problemBy } from '../reading';

describe('diff', () => {
  it('takes two tapes, and the last session of each', () => {
    expect(givenBy(diff, 'a', '-')).toEqual({
      a: 'a',
      b: '-',
      'session-a': undefined,
      'session-b': undefined,
      mask: [],
      unmask: [],
      'ignore-path': [],
      'ignore-method': [],
      report: 'text',
      command: [],
    });
  });

  it.each<[string[], string | RegExp]>([
    [['a'], 'B is missing'],
    [[], 'A is missing; B is missing'],
    [['a', 'b', 'c'], 'c is one word too many'],
    [['a', 'b', '--session-b', '1.5'], '--session-b must be a whole number from 1'],
    [['a', 'b', '--mask', '['], /^--mask \[ cannot be used/],
    [['a', 'b', '--report', 'xml'], '--report must be text, json or junit; it is xml'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(diff, ...argv)).toMatch(problem);
  });
});
