/** The first line of a rollout, which names its thread, and the settings of its latest turn. */
import { isObject, type JsonObject, parseObject, wordOf } from '../../protocol/jsonrpc/json';
import { readRolloutLine } from './readRolloutLine';

type SessionStart = {
  /** 'unknown' if the line names none. */
  threadId: string;
  /** As it was written. */
  timestamp: unknown;
  cliVersion?: string;
};

/** Whether a line starts a rollout. Source: codex 0.28.0 (`id`, `instructions`), 0.142.0 (`session_meta`). */
export const isSessionStart = (value: JsonObject): boolean =>
  value.type === 'session_meta' || (typeof value.id === 'string' && 'timestamp' in value && 'instructions' in value);

/** Reads the start of a session. Newer releases keep its members in `payload`. */
export const toSessionStart = (value: JsonObject): SessionStart => {
  const { id, session_id, cli_version } = isObject(value.payload) ? value.payload : value;
  return {
    threadId: wordOf(id ?? session_id ?? 'unknown'),
    timestamp: value.timestamp,
    ...(typeof cli_version === 'string' && { cliVersion: cli_version }),
  };
};

/** The `turn_context` of the latest turn, such as `approval_policy` and `sandbox_policy`; undefined if there is none. */
export const lastTurnContext = (lines: readonly string[]): JsonObject | undefined => {
  const line = lines.findLast((each) => contextOf(each) !== undefined);
  return line === undefined ? undefined : contextOf(line);
};

/** Only lines that may hold a context are parsed, as a rollout can be long. */
const contextOf = (line: string): JsonObject | undefined =>
  line.includes('"turn_context"') ? readRolloutLine(parseObject(line) ?? {})?.flatMap(toContext)[0] : undefined;

const toContext = (item: NonNullable<ReturnType<typeof readRolloutLine>>[number]): JsonObject[] =>
  item.kind === 'turnContext' ? [item.context] : [];
