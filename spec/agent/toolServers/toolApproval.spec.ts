import { needsApproval, refused } from '../../../src/agent/toolServers/toolApproval';
import type { OfferedTool } from '../../../src/agent/toolServers/toolServer';

const tool = (own: Partial<OfferedTool>): OfferedTool => ({
  spec: { type: 'function', name: 's__t', description: '', strict: false, parameters: {} },
  server: 's',
  tool: 't',
  isReadOnly: false,
  call: () => {
    throw new Error('nothing is called');
  },
  ...own,
});

describe('approvals of tools', () => {
  it('are those of the policy, if the user set no mode', () => {
    expect(needsApproval({ approvalPolicy: 'on-request' }, tool({}))).toBe(false);
    expect(needsApproval({ approvalPolicy: 'untrusted' }, tool({}))).toBe(true);
    expect(needsApproval({ approvalPolicy: 'untrusted' }, tool({ mode: 'approve' }))).toBe(false);
  });

  it('name the mode that refuses under never', () => {
    const reason =
      'approval_mode = "prompt" asks before this tool, and nobody is asked under the approval policy never';
    expect(refused('s/t()', tool({ mode: 'prompt' }))).toEqual({
      verdict: 'refuse',
      output: `tool call rejected: ${reason}`,
      report: { subject: 's/t()', reason },
    });
  });
});
