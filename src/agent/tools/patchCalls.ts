/** Patches as tool calls: whether one may be applied. */
import { normalize } from 'node:path';
import { map, type Observable } from 'rxjs';
import type { PatchOrder, PatchOutcome } from '../../executor/applying/transact';
import { toModelText } from '../../executor/patch/failureText';
import type { PatchFailure, Plan } from '../../executor/patch/plan';
import { toFileChanges } from '../../executor/patch/toFileChanges';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import { toVisible } from '../../io/log/toPlain';
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import { decide, type Ruling } from '../safety/decide';
import type { Action } from '../safety/decisions';
import type { ApprovalRequest, Assessment, ToolCall } from './tool';

/** `check`: what a patch would do in a folder; `apply`: applies it, all or nothing. */
export type PatchDeps = {
  check: (text: string, folder: string) => Observable<Plan | PatchFailure>;
  apply: (order: PatchOrder) => Observable<PatchOutcome>;
  now: () => number;
};

/** `mayWrite`: what the settings of the session let a patch write to; `sealed`: nothing else, even if it is approved. */
export type PatchSettings = {
  policy: ApprovalPolicy;
  mode: SandboxMode;
  mayWrite: SessionSandbox['mayWrite'];
  sealed: boolean;
};

/** A patch of a call; its relative paths refer to `folder`, an absolute path. */
export type PatchCall = Pick<ToolCall, 'callId' | 'isApproved'> & { text: string; folder: string };

/**
 * A patch that was checked. `unasked`: it is applied directly, without asking. `again`: what a person is asked if the
 * sandbox prevents it from writing.
 */
export type PatchPlan = { callId: string; plan: Plan; unasked: boolean; again?: ApprovalRequest };

/** Whether a patch may be applied. Emits once; a patch that cannot be applied is refused with the reason. */
export const assessPatch =
  ({ check }: PatchDeps, settings: PatchSettings) =>
  (call: PatchCall): Observable<Assessment<PatchPlan>> =>
    check(call.text, call.folder).pipe(
      map((plan) =>
        plan.kind === 'plan' ? toAssessment(settings, call, plan) : { verdict: 'refuse', output: toModelText(plan) },
      ),
    );

const toAssessment = (settings: PatchSettings, call: PatchCall, plan: Plan): Assessment<PatchPlan> => {
  const action = actionOf(settings, call, plan);
  const { policy, mode } = settings;
  const ruling = decide({ policy, mode, action, sandbox: { kind: 'ready' } });
  const links = leadsOutside(settings, plan);
  const checked = { callId: call.callId, plan, unasked: ruling.decision === 'run' };
  switch (ruling.decision) {
    case 'refuse':
      return { verdict: 'refuse', output: `patch rejected: ${ruling.reason}` };
    case 'ask':
      return { verdict: 'ask', plan: checked, approval: toApproval(call, plan, links) };
    case 'run':
      return { verdict: 'run', plan: checked };
    case 'sandbox':
      return {
        verdict: 'sandbox',
        plan: { ...checked, ...(isBlocked(action, ruling) && { again: toApproval(call, plan, again(links)) }) },
      };
  }
};

const actionOf = ({ mayWrite }: PatchSettings, { isApproved }: PatchCall, plan: Plan): Action => {
  if (keysOf(plan).every(isApproved)) return 'approved';
  return plan.files.every(({ real }) => mayWrite(real)) ? 'patch' : 'patchOutside';
};

const isBlocked = (action: Action, ruling: Extract<Ruling, { decision: 'sandbox' }>): boolean =>
  action === 'patchOutside' && ruling.afterDenial === 'ask';

/** An approval for the session applies to these files, wherever links lead. */
const keysOf = ({ files }: Plan): string[] => files.map(({ real }) => `patch ${real}`);

const toApproval = (call: PatchCall, plan: Plan, reason: string | undefined): ApprovalRequest => ({
  msg: {
    type: 'apply_patch_approval_request',
    call_id: call.callId,
    changes: toFileChanges(plan),
    ...(reason !== undefined && { reason }),
  },
  subject: `the patch of ${plan.files.map(({ path }) => toVisible(path)).join(', ')}`,
  what: 'patch',
  keys: keysOf(plan),
});

/** Source: Codex 0.28.0; there it asked about a command line of its own. */
const again = (links: string | undefined): string =>
  [links, 'command failed; retry without sandbox?'].filter((line) => line !== undefined).join('\n');

/** Names each path that is a link to a file that may not be written, because the path does not show that. */
const leadsOutside = ({ mayWrite }: PatchSettings, { files }: Plan): string | undefined => {
  const links = files.filter(({ absolute, real }) => real !== normalize(absolute) && !mayWrite(real));
  return links.length === 0
    ? undefined
    : links
        .map(({ absolute, real }) => toVisible(`${absolute} is reached by a link; the file that changes is ${real}`))
        .join('\n');
};
