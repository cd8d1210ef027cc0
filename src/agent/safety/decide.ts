/** Decides what happens to one command or patch: a table of verdicts by approval policy, sandbox mode and action. */
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';

/** Whether a sandbox works here. */
export type SandboxState =
  | { kind: 'ready' }
  | {
      kind: 'missing';
      /** Why it does not work, and what helps, in one sentence. */
      remedy: string;
    };

type Proposal = {
  policy: ApprovalPolicy;
  mode: SandboxMode;
  /** Whether it is trusted, approved or inside the roots was determined beforehand. */
  action: Action;
  sandbox: SandboxState;
};

/** What happens. */
export type Ruling =
  | { decision: 'run' }
  /** `afterDenial`: what follows if the sandbox denies something. */
  | { decision: 'sandbox'; afterDenial: 'ask' | 'report' }
  /** With a reason for the person who is asked. */
  | { decision: 'ask'; reason?: string }
  /** With a reason for the model. */
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

/** `run` without a sandbox, `sandbox` inside one, both without asking; `ask` a person first; `refuse` without asking. */
export type PolicyDecision = 'run' | 'sandbox' | 'ask' | 'refuse';

/** What is to be done. */
export type Action =
  /** A trusted command that only reads. */
  | 'reader'
  /** A trusted git command: a repository may name programs for it, so it runs in a sandbox where nothing can be written. */
  | 'git'
  /** Any other command. */
  | 'command'
  /** The model asks to run the command without a sandbox. */
  | 'escalated'
  /** Approved for the session in this folder. */
  | 'approved'
  /** Stays inside the writable roots. */
  | 'patch'
  /** Leaves the writable roots. */
  | 'patchOutside';

type Row = Readonly<Record<Action, PolicyDecision>>;
type Three = readonly [PolicyDecision, PolicyDecision, PolicyDecision];
type Four = readonly [...Three, PolicyDecision];

/** Commands: reader, git, any other. Then: escalated, approved, patch, patch outside. */
const row = ([reader, git, command]: Three, [escalated, approved, patch, patchOutside]: Four): Row => ({
  reader,
  git,
  command,
  escalated,
  approved,
  patch,
  patchOutside,
});

const RUN = row(['run', 'run', 'run'], ['run', 'run', 'run', 'run']);

/**
 * One row per policy and mode, in the order of `row`. In read-only mode, nothing is inside the writable roots.
 * Source: Codex 0.28.0, CORE 7.1 and 7.2, 152 recorded cases. Stricter here: trusted commands run in the sandbox, git also in full
 * access if each command is asked about.
 */
const POLICY_TABLE: Record<ApprovalPolicy, Record<SandboxMode, Row>> = {
  untrusted: {
    'read-only': row(['sandbox', 'sandbox', 'ask'], ['ask', 'run', 'ask', 'ask']),
    'workspace-write': row(['sandbox', 'sandbox', 'ask'], ['ask', 'run', 'ask', 'ask']),
    'danger-full-access': row(['run', 'sandbox', 'ask'], ['ask', 'run', 'ask', 'ask']),
  },
  'on-failure': {
    'read-only': row(['sandbox', 'sandbox', 'sandbox'], ['sandbox', 'run', 'sandbox', 'sandbox']),
    'workspace-write': row(['sandbox', 'sandbox', 'sandbox'], ['sandbox', 'run', 'sandbox', 'sandbox']),
    'danger-full-access': RUN,
  },
  'on-request': {
    'read-only': row(['sandbox', 'sandbox', 'sandbox'], ['ask', 'run', 'ask', 'ask']),
    'workspace-write': row(['sandbox', 'sandbox', 'sandbox'], ['ask', 'run', 'sandbox', 'ask']),
    'danger-full-access': RUN,
  },
  never: {
    'read-only': row(['sandbox', 'sandbox', 'sandbox'], ['sandbox', 'run', 'refuse', 'refuse']),
    'workspace-write': row(['sandbox', 'sandbox', 'sandbox'], ['sandbox', 'run', 'sandbox', 'refuse']),
    'danger-full-access': RUN,
  },
};

/** What replaces `sandbox` if no sandbox works. Trusted readers run all the same, as in Codex 0.28.0; patches have checks of their own. */
const WITHOUT_SANDBOX: Record<ApprovalPolicy, 'ask' | 'refuse'> = {
  untrusted: 'ask',
  'on-failure': 'ask',
  'on-request': 'ask',
  never: 'refuse',
};

/** What follows if the sandbox denies something: a person is asked to run it again without a sandbox, or the model reads the output. */
const AFTER_DENIAL: Record<ApprovalPolicy, 'ask' | 'report'> = {
  untrusted: 'ask',
  'on-failure': 'ask',
  'on-request': 'report',
  never: 'report',
};
