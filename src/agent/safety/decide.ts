/** Decides what happens to one command or patch, by the table in decisions.ts. */
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import { type Action, AFTER_DENIAL, POLICY_TABLE, WITHOUT_SANDBOX } from './decisions';

/** Whether a sandbox works here; `remedy` says, in one sentence, why it does not and what helps. */
export type SandboxState = { kind: 'ready' } | { kind: 'missing'; remedy: string };

/** @param action what is to be done; whether it is trusted, approved or inside the roots was determined beforehand */
export type Proposal = { policy: ApprovalPolicy; mode: SandboxMode; action: Action; sandbox: SandboxState };

/**
 * What happens. `afterDenial`: what follows if the sandbox denies something. `reason` is for the person who is asked, or for
 * the model whose call is refused.
 */
export type Ruling =
  | { decision: 'run' }
  | { decision: 'sandbox'; afterDenial: 'ask' | 'report' }
  | { decision: 'ask'; reason?: string }
  | { decision: 'refuse'; reason: string };

/** Source: Codex 0.28.0, CORE 7.2. */
export const OUTSIDE = 'writing outside of the project; rejected by user approval settings';

/** Looks up the table. Pure: the same situation always has the same ruling. */
export const decide = (proposal: Proposal): Ruling => {
  const { policy, mode, action } = proposal;
  const decision = POLICY_TABLE[policy][mode][action];
  switch (decision) {
    case 'run':
    case 'ask':
      return { decision };
    case 'refuse':
      return { decision, reason: OUTSIDE };
    case 'sandbox':
      return inSandbox(proposal);
  }
};

const inSandbox = ({ policy, action, sandbox }: Proposal): Ruling => {
  const isPatch = action === 'patch' || action === 'patchOutside';
  if (sandbox.kind === 'ready' || isPatch) return { decision: 'sandbox', afterDenial: AFTER_DENIAL[policy] };
  if (action === 'reader') return { decision: 'run' };
  return { decision: WITHOUT_SANDBOX[policy], reason: sandbox.remedy };
};
