/** The settings of the last turn of a stored thread, which may get lost when a server loads it. */

import type { ApprovalPolicy, SandboxMode } from '../../../protocol/codex/settings';
import { isObject, type JsonObject } from '../../../protocol/jsonrpc/json';
import type { CodexSettings } from '../../../settings/codexSettings';
import { modeBelow } from '../../../settings/limits/ceiling';
import { lastTurnContext } from '../../../threads/lines/turnContext';
import { policyOf } from './threadParams';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const SANDBOX: Record<string, string> = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
};

const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `{type: 'workspace-write', network_access: …}` in the form of turn/start; undefined for an unknown kind. */
const toSandboxPolicy = (stored: unknown): JsonObject | undefined => {
  if (!isObject(stored)) return undefined;
  const { type, mode, ...rest } = stored;
  const kind = SANDBOX[textOf(type) || textOf(mode)];
  return kind === undefined
    ? undefined
    : { type: kind, ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [camel(key), value])) };
};

/**
 * The params of turn/start that restore the settings of a thread's last turn; empty where the rollout does not name them.
 * Source: rollouts of codex 0.142.0 and 0.169.0; after a cold resume the first loses the approval policy, the second the sandbox.
 */
export const storedTurn = (rollout: string | undefined): JsonObject => {
  const context = rollout === undefined ? undefined : lastTurnContext(rollout);
  if (context === undefined) return {};
  const { approval_policy: approvalPolicy, sandbox_policy } = context;
  const sandboxPolicy = toSandboxPolicy(sandbox_policy);
  return {
    ...(typeof approvalPolicy === 'string' && { approvalPolicy }),
    ...(sandboxPolicy && { sandboxPolicy }),
  };
};

/** What the operator set for threads: see CodexSettings. */
export type StoredLimits = Pick<CodexSettings, 'policy' | 'mode' | 'config'>;

/** These params below the ceiling of the operator; if no policy is stored, with that of the operator. */
export const limitTurn = ({ policy, mode, config }: StoredLimits, turn: JsonObject): JsonObject => {
  const asked = turn.approvalPolicy ?? config.approval_policy ?? policy;
  const approvalPolicy = policyOf(asked as ApprovalPolicy | undefined, policy);
  const sandboxPolicy = isObject(turn.sandboxPolicy) ? sandboxBelow(turn.sandboxPolicy, mode) : undefined;
  return { ...(approvalPolicy && { approvalPolicy }), ...(sandboxPolicy && { sandboxPolicy }) };
};

const sandboxBelow = (sandbox: JsonObject, ceiling: SandboxMode | undefined): JsonObject => {
  const stored = Object.keys(SANDBOX).find((mode) => SANDBOX[mode] === sandbox.type) as SandboxMode;
  const mode = modeBelow(stored, ceiling);
  return mode === stored ? sandbox : { type: SANDBOX[mode] };
};
