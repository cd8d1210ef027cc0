import { shrink } from '../../../src/cli/commands/shrink';
import { givenBy, problemBy } from '../reading';

describe('shrink', () => {
  it('takes a tape and a server', () => {
    expect(givenBy(shrink, 't', '-o', 'small', '--', 'server', 'x')).toMatchObject({
      file: 't',
      out: 'small',
      'max-runs': 200,
      command: ['server', 'x'],
    });
  });

  it.each([
    [['t'], 'There is no server to run: write its command after --'],
    [['t', '--spec', 's', '--', 'x'], '--spec is written from the shorter tape: name a file for it by --out'],
    [['t', '--max-runs', '0', '--', 'x'], '--max-runs must be a whole number from 1'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(shrink, ...argv)).toBe(problem);
  });
});
