import {
  approvalKey,
  becauseOf,
  readShellArguments,
  shellSpec,
  subjectOf,
  toApproval,
} from '../../../src/agent/tools/shellArguments';
import type { ApprovalRequest } from '../../../src/agent/tools/tool';

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

const call = { callId: 'c', args: { command: ['rm', 'the x'] }, cwd: '/w', files: [], isApproved: () => false };
const justified = { ...call, args: { ...call.args, justification: ' to\ntidy\u001b[2J ' } };
const approval = (reason?: string) => ({
  msg: {
    type: 'exec_approval_request',
    call_id: 'c',
    command: ['rm', 'the x'],
    cwd: '/w',
    ...(reason !== undefined && { reason }),
  },
  subject: "`rm 'the x'`",
  what: 'exec command',
  covers: 'bytes',
  keys: ['shell ["/w","rm","the x"]', 'shell ["/w","rm","the x"] []'],
});

describe('approvalKey', () => {
  it('is that of the command in its folder, and of no other', () => {
    const others = [
      { ...call, cwd: '/v' },
      { ...call, args: { command: ['rm', 'the', 'x'] } },
    ];
    expect(approvalKey(call)).toBe('shell ["/w","rm","the x"]');
    expect(new Set([call, ...others].map(approvalKey)).size).toBe(3);
  });

  it('goes by where the folder is', () => {
    expect(approvalKey({ ...call, realCwd: '/v' })).toBe(approvalKey({ ...call, cwd: '/v' }));
  });
});

describe('subjectOf', () => {
  it('quotes the command in words', () => {
    expect(subjectOf(call)).toBe("`rm 'the x'`");
  });
});

describe('toApproval', () => {
  it('has no reason where nobody gives one', () => {
    expect(toApproval(call, undefined)).toEqual(approval());
    expect(toApproval(call, 'retry?')).toEqual(approval('retry?'));
  });

  it('marks the reason of the agent, in one line that commands no terminal, before that of this program', () => {
    const { reason = '' } = toApproval(justified, 'retry?').msg as { reason?: string };
    const [first, ...rest] = reason.split('\n');
    expect(first).toMatch(/^The agent says: to.*tidy/);
    expect(first).not.toContain('\u001b');
    expect(rest).toEqual(['retry?']);
  });
});

describe('an approval for the session', () => {
  const naming = (names: readonly string[], approved: readonly string[] = []) =>
    toApproval(
      {
        ...call,
        files: names.map((name) => ({ name, mark: `bytes of ${name}` })),
        isApproved: (key) => approved.includes(key),
      },
      undefined,
    );
  const reasonOf = ({ msg }: ApprovalRequest) => (msg as { reason?: string }).reason;

  it('is for the bytes of the files that the command names', () => {
    const { keys, msg } = naming(['./a.sh', 'b.py']);
    expect(keys).toEqual([
      'shell ["/w","rm","the x"]',
      'shell ["/w","rm","the x"] ["bytes of ./a.sh","bytes of b.py"]',
      'shell ["/w","rm","the x"] "bytes of ./a.sh"',
      'shell ["/w","rm","the x"] "bytes of b.py"',
    ]);
    expect(msg).not.toHaveProperty('reason');
  });

  it('names the files that have changed since', () => {
    const { keys } = naming(['./a.sh']);
    const since = 'A file has changed since this was approved for the session';
    expect(reasonOf(naming(['./a.sh', 'b\u202e.py'], keys))).toBe(`${since}: b\\u202e.py`);
    expect(reasonOf(naming(['a', 'b', 'c', 'd', 'e', 'f', 'g'], keys))).toBe(`${since}: a, b, c, d, e and 2 more`);
    expect(reasonOf(naming([], keys))).toBe(since);
  });

  it('covers nothing if the files are not known', () => {
    expect(toApproval({ ...call, files: undefined }, undefined).keys).toEqual([]);
  });
});

describe('becauseOf', () => {
  it('names where a link leads, in one line that shows what is hidden in it, before the reason', () => {
    const linked = { ...call, cwd: '/w/a\u202e', realCwd: '/out' };
    const leads = '/w/a\\u202e is reached by a link; the command runs in /out';
    expect(becauseOf(linked, '/w')).toBe(leads);
    expect(becauseOf(linked, '/w', 'retry?')).toBe(`${leads}\nretry?`);
  });

  it.each([
    ['no link leads there', { ...call, realCwd: '/w' }, '/'],
    ['it is not known', call, '/'],
    ['the operator named the thread so', { ...call, realCwd: '/real' }, '/w'],
  ])('is the reason alone where %s', (_, asked, threadCwd) => {
    expect([becauseOf(asked, threadCwd), becauseOf(asked, threadCwd, 'retry?')]).toEqual([undefined, 'retry?']);
  });
});
