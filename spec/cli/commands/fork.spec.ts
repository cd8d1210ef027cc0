import { fork } from '../../../src/cli/commands/fork';
import { givenBy, problemBy } from '../reading';

describe('fork', () => {
  it('takes a tape, a line of it and a server', () => {
    expect(givenBy(fork, 't', '--at', '42', '--', 'server')).toMatchObject({ file: 't', at: 42, command: ['server'] });
  });

  it.each([
    [['t'], 'There is no server to run: write its command after --'],
    [['-', '--', 'x'], 'The live client is on stdin, so the tape must be a file'],
    [['t', '--at', '0', '--', 'x'], '--at must be a whole number from 1'],
  ])('refuses %j', (argv, problem) => {
    expect(problemBy(fork, ...argv)).toBe(problem);
  });
});
