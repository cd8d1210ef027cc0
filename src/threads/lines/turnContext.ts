/** Finds the settings that the latest turn of a rollout ran under. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { parseObject } from '../../protocol/jsonrpc/parseJson';
import { readRolloutLine } from './readRolloutLine';

/** The `turn_context` of the latest turn, such as `approval_policy` and `sandbox_policy`; undefined where there is none. */
export const lastTurnContext = (rollout: string): JsonObject | undefined => {
  const line = rollout.split('\n').findLast((each) => contextOf(each) !== undefined);
  return line === undefined ? undefined : contextOf(line);
};

/** Only lines that may hold a context are parsed, as a rollout can be long. */
const contextOf = (line: string): JsonObject | undefined =>
  line.includes('"turn_context"') ? readRolloutLine(parseObject(line) ?? {})?.flatMap(toContext)[0] : undefined;

const toContext = (item: NonNullable<ReturnType<typeof readRolloutLine>>[number]): JsonObject[] =>
  item.kind === 'turnContext' ? [item.context] : [];
