import { of } from 'rxjs';
import { type PatchFailure, type PatchOutcome, type Plan, toFileChanges } from '../../src/patch';
import type { ApprovalPolicy, SandboxMode } from '../../src/protocol/codex';
import type { ApprovalRequest, Assessment } from '../../src/tools';
import { assessPatch, type PatchCall, type PatchPlan, type PatchSettings } from '../../src/tools/patchCalls';
import { patchOf, planned } from '../patch/support';

const inside = planned(patchOf('*** Add File: a', '+x'));
const outside = planned(patchOf('*** Add File: a', '+x', '*** Add File: out/b', '+y'));
const callOf = (approved: readonly string[] = []): PatchCall => ({
  callId: 'p',
  text: 'the patch',
  folder: '/ws',
  isApproved: (key) => approved.includes(key),
});
const settingsOf = (policy: ApprovalPolicy, mode: SandboxMode): PatchSettings => ({
  policy,
  mode,
  sealed: false,
  mayWrite: (real) => mode === 'workspace-write' && !real.startsWith('/ws/out'),
});

const assess = (plan: Plan | PatchFailure, settings: PatchSettings, approved?: readonly string[]) => {
  const found: Assessment<PatchPlan>[] = [];
  const deps = { check: () => of(plan), apply: () => of<PatchOutcome>(), now: () => 0 };
  assessPatch(deps, settings)(callOf(approved)).subscribe((one) => found.push(one));
  return found;
};

const approvalOf = (plan: Plan, reason?: string): ApprovalRequest => ({
  msg: {
    type: 'apply_patch_approval_request',
    call_id: 'p',
    changes: toFileChanges(plan),
    ...(reason !== undefined && { reason }),
  },
  subject: `the patch of ${plan.files.map(({ path }) => path).join(', ')}`,
  what: 'patch',
  keys: plan.files.map(({ real }) => `patch ${real}`),
});
const RETRY = 'command failed; retry without sandbox?';
const rejected = 'patch rejected: writing outside of the project; rejected by user approval settings';

describe('assessPatch', () => {
  it.each<[ApprovalPolicy, SandboxMode, string, string]>([
    // inside, outside
    ['untrusted', 'workspace-write', 'ask', 'ask'],
    ['untrusted', 'danger-full-access', 'ask', 'ask'],
    ['on-failure', 'read-only', 'sandbox, then ask', 'sandbox, then ask'],
    ['on-failure', 'workspace-write', 'sandbox', 'sandbox, then ask'],
    ['on-failure', 'danger-full-access', 'run', 'run'],
    ['on-request', 'read-only', 'ask', 'ask'],
    ['on-request', 'workspace-write', 'sandbox', 'ask'],
    ['never', 'read-only', 'refuse', 'refuse'],
    ['never', 'workspace-write', 'sandbox', 'refuse'],
    ['never', 'danger-full-access', 'run', 'run'],
  ])('decides under %s in %s: inside %s, outside %s', (policy, mode, ofInside, ofOutside) => {
    const toAssessment = (plan: Plan, decision: string): Assessment<PatchPlan> => {
      const checked = { callId: 'p', plan, unasked: decision === 'run' };
      switch (decision) {
        case 'ask':
          return { verdict: 'ask', plan: checked, approval: approvalOf(plan) };
        case 'refuse':
          return { verdict: 'refuse', output: rejected };
        case 'run':
          return { verdict: 'run', plan: checked };
        case 'sandbox':
          return { verdict: 'sandbox', plan: checked };
        default:
          return { verdict: 'sandbox', plan: { ...checked, again: approvalOf(plan, RETRY) } };
      }
    };
    expect(assess(inside, settingsOf(policy, mode))).toEqual([toAssessment(inside, ofInside)]);
    expect(assess(outside, settingsOf(policy, mode))).toEqual([toAssessment(outside, ofOutside)]);
  });

  it('lets a patch run whose files were all approved for the session', () => {
    const settings = settingsOf('untrusted', 'read-only');
    const keys = ['patch /ws/a', 'patch /ws/out/b'];
    expect(assess(outside, settings, keys)).toEqual([
      { verdict: 'run', plan: { callId: 'p', plan: outside, unasked: true } },
    ]);
    expect(assess(outside, settings, keys.slice(0, 1))).toMatchObject([{ verdict: 'ask' }]);
  });

  it('names the file that a link leads to', () => {
    const linked: Plan = { ...inside, files: inside.files.map((file) => ({ ...file, real: '/ws/out/secret' })) };
    expect(assess(linked, settingsOf('on-request', 'workspace-write'))).toEqual([
      {
        verdict: 'ask',
        plan: { callId: 'p', plan: linked, unasked: false },
        approval: approvalOf(linked, '/ws/a is reached by a link; the file that changes is /ws/out/secret'),
      },
    ]);
  });

  it('shows what is hidden in the name of a file', () => {
    const named = planned(patchOf('*** Add File: a\u202eb', '+x'));
    expect(assess(named, settingsOf('untrusted', 'read-only'))).toMatchObject([
      { approval: { subject: 'the patch of a\\u202eb' } },
    ]);
  });

  it('refuses a patch that cannot be applied, with the reason', () => {
    const failure: PatchFailure = { kind: 'invalidPatch', message: 'no end' };
    expect(assess(failure, settingsOf('never', 'danger-full-access'))).toEqual([
      { verdict: 'refuse', output: 'error: invalid patch: no end' },
    ]);
  });
});
