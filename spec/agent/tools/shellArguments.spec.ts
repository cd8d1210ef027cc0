import { readShellArguments, shellSpec } from '../../../src/agent/tools/shellArguments';

const command = ['ls'];

describe('readShellArguments', () => {
  it('refuses a command that no system runs', () => {
    const command = ['bash', '-lc', 'x'.repeat(2 ** 20)];
    expect(readShellArguments(JSON.stringify({ command }))).toContain('must be shorter than 1 MiB');
  });

  it.each([
    [{ command }, { command }],
    [
      { command, timeout: 5 },
      { command, timeout_ms: 5 },
    ],
    [
      { command, timeout: 5, timeout_ms: 7 },
      { command, timeout_ms: 7 },
    ],
    [
      { command, workdir: 'a', justification: null, more: 1 },
      { command, workdir: 'a', more: 1 },
    ],
    [{ command: 'ls -la | wc' }, { command: ['bash', '-lc', 'ls -la | wc'] }],
    [{ command: '["ls","-la"]' }, { command: ['ls', '-la'] }],
    [{ command: '[ -f a ]' }, { command: ['bash', '-lc', '[ -f a ]'] }],
    [{ command: '[]' }, { command: ['bash', '-lc', '[]'] }],
  ])('reads %j', (given, expected) => {
    expect(readShellArguments(JSON.stringify(given))).toEqual(expected);
  });

  it.each([
    { command: [] },
    { command: '' },
    { command: '[1]' },
    {},
    { command, timeout_ms: -1 },
    { command, timeout_ms: 1.5 },
    { command: [1] },
    { command, workdir: 'a\0b' },
  ])('refuses %j with a reason', (given) => {
    expect(readShellArguments(JSON.stringify(given))).toEqual(expect.any(String));
  });
});

describe('shellSpec', () => {
  it('is made once, and requires the command only', () => {
    expect(shellSpec()).toBe(shellSpec());
    expect(shellSpec()).toMatchObject({ type: 'function', name: 'shell', parameters: { required: ['command'] } });
  });
});
