/** Reads the first line of a rollout, which names its thread. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** `threadId` is 'unknown' where the line names none; `timestamp` is as it was written. */
export type SessionStart = { threadId: string; timestamp: unknown; cliVersion?: string };

/** Whether a line starts a rollout. Source: codex 0.28.0 (`id`, `instructions`), 0.142.0 (`session_meta`). */
export const isSessionStart = (value: JsonObject): boolean =>
  value.type === 'session_meta' || (typeof value.id === 'string' && 'timestamp' in value && 'instructions' in value);

/** Reads the start of a session. Newer releases keep its members in `payload`. */
export const toSessionStart = (value: JsonObject): SessionStart => {
  const { id, session_id, cli_version } = isObject(value.payload) ? value.payload : value;
  return {
    threadId: String(id ?? session_id ?? 'unknown'),
    timestamp: value.timestamp,
    ...(typeof cli_version === 'string' && { cliVersion: cli_version }),
  };
};
