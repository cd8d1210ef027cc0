import { approvalKey, subjectOf, toApproval } from '../../src/tools/commandApproval';

const call = { callId: 'c', args: { command: ['rm', 'the x'] }, cwd: '/w' };
const justified = { ...call, args: { ...call.args, justification: ' to\ntidy\u001b[2J ' } };
const approval = (reason?: string) => ({
  msg: {
    ...{ type: 'exec_approval_request', call_id: 'c', command: ['rm', 'the x'], cwd: '/w' },
    ...(reason !== undefined && { reason }),
  },
  subject: "`rm 'the x'`",
  what: 'exec command',
  keys: ['shell ["/w","rm","the x"]'],
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
