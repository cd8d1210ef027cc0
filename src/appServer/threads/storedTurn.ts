/** The settings of the last turn of a stored thread, which may get lost when a server loads it. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc';
import { lastTurnContext } from '../../rollout';

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
