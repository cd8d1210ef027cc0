/** Owns the table of who may run what. Not: which commands are trusted, and not how a question is put. */
import type { ApprovalPolicy, SandboxMode } from '../protocol/codex';

/** `escalated`: the model asked to run without a sandbox. `approved`: for the session, with this argv in this cwd. */
export type Situation = {
  policy: ApprovalPolicy;
  sandbox: SandboxMode;
  trusted: boolean;
  approved: boolean;
  escalated: boolean;
};

export type Assessment = { verdict: 'run' } | { verdict: 'ask'; reason?: string };

/** Why a command is asked about that the policy would have run inside a sandbox. */
export const NO_SANDBOX = 'codex-rx has no sandbox on this system yet, so this command needs your approval';

/**
 * Says whether a command runs at once or a human is asked first; there is no third answer.
 *   policy \ mode   read-only, workspace-write     danger-full-access
 *   untrusted       ask                            ask
 *   on-failure      ask (would be sandboxed)       run
 *   on-request      ask (would be sandboxed)       run
 *   never           ask (would be sandboxed)       run
 * Trusted and approved commands run everywhere. An escalated command is asked about for the model's own reason.
 * Source: Codex 0.28.0 safety table; it asks like this where a platform has no sandbox, but rejects under `never`.
 */
export const assess = ({ policy, sandbox, trusted, approved, escalated }: Situation): Assessment => {
  if (trusted || approved) return { verdict: 'run' };
  if (policy === 'untrusted') return { verdict: 'ask' };
  if (sandbox === 'danger-full-access') return { verdict: 'run' };
  if (policy === 'on-request' && escalated) return { verdict: 'ask' };
  return { verdict: 'ask', reason: NO_SANDBOX };
};
