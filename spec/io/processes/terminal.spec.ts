import { openTerminal } from '../../../src/io/processes/terminal';

describe('openTerminal', () => {
  it.each([
    [{ TERM: 'vt100', A: '1' }, 'vt100'],
    [{ A: '1' }, 'xterm-256color'],
  ])('starts the program in a terminal of 80 by 24 with the environment %j', (env, name) => {
    const spawn = jest.fn();
    openTerminal(spawn, { argv: ['prog', 'a', ''], cwd: '/w', env });
    expect(spawn.mock.calls).toEqual([
      ['prog', ['a', ''], { cols: 80, rows: 24, name, cwd: '/w', env, encoding: null }],
    ]);
  });
});
