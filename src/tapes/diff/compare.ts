/** Compares two sessions: for each line of the client, what the server sent because of it. */
import { lazy } from '../../streams/lazy';
import { type Difference, diffJson } from '../../streams/marbles/diffJson';
import { type Handles, isDescription } from '../handles/handles';
import type { Masks } from '../matching/mask';
import { toCanonical } from '../matching/matchKey';
import { cutAlike, isDelta } from '../session/joinDeltas';
import type { SessionIndex } from '../session/sessionIndex';
import { shownTask } from '../session/sessionTasks';
import { bindIds, type LaneLines } from './bindIds';
import {
  type JoinedPair,
  joinChanged,
  type Lane,
  type LanePair,
  newProgress,
  pairLanes,
  type Side,
  toLanes,
} from './lanes';
import { type Compared, type Comparer, toComparer, toUnmasked } from './toComparer';

/** How a lane compares. */
export type LaneResult = {
  label: string;
  /** Of the client's line on the tape; 0 if there is none. */
  lineNumber: number;
  recorded: readonly Compared[];
  now: readonly Compared[];
  /** Undefined if both are the same. */
  difference?: {
    /** The first place in the lane where the sessions differ; a session may have no line there. */
    at: number;
    /** Set if a session does not have the lane, or the client sends something else. */
    reason?: string;
    values: readonly Difference[];
  };
};

/** The reason of a lane that the new session does not have. */
export const NOT_NOW = 'the client did not get to send this now';
/** The label of the result on exit codes. */
export const EXIT_LABEL = 'the exit of the server';

const ONLY_NOW = 'the client sends this only now';
const OTHERWISE = 'the client sends this differently now';

/**
 * Compares lane by lane, and whether a server that ended with exit code 0 does so again. Does not compare: the order between lanes, which depends on
 * the scheduler; how much progress is reported; names of requests; what the masks hide; newly generated ids; where a text is cut into deltas; whether
 * the end of input was recorded.
 */
export const compare = (recorded: SessionIndex, now: SessionIndex, masks: Masks): LaneResult[] => {
  const [before, after] = [recorded, now].map(
    (index): Side => ({ lanes: toLanes(index, masks), comparer: toComparer(index, masks) }),
  ) as [Side, Side];
  const pairs = joinChanged(pairLanes(before, after));
  const isSame = isUntouched(pairs, [before.comparer, after.comparer]);
  const lanes = pairs.map((pair) => {
    const lines = upToTask(pair, linesOf([before.comparer, after.comparer], pair, isSame));
    return withProgress(pair, isCancelled(recorded, pair) ? withCutText(lines) : lines);
  });
  const bound = masks.names.includes('id') ? withoutNewIds({ recorded, now }, pairs, lanes) : lanes;
  return [...pairs.map((pair, i) => toResult(pair, bound[i] as LaneLines)), ...compareExits(recorded, now)];
};

/** A server's description of itself has no ids, as it has no handles. */
const withoutNewIds = (
  indexes: { recorded: SessionIndex; now: SessionIndex },
  pairs: readonly LanePair[],
  lanes: readonly LaneLines[],
): readonly LaneLines[] => {
  const describes = ({ recorded }: LanePair) => recorded?.lines.some((line) => isDescription(indexes.recorded, line));
  const open = lanes.filter((_, i) => !describes(pairs[i] as LanePair));
  const bound = bindIds(open, indexes);
  const byLane = new Map(open.map((lane, i) => [lane, bound[i]]));
  return lanes.map((lane) => byLane.get(lane) ?? lane);
};

const linesOf = (
  [before, after]: readonly [Comparer, Comparer],
  pair: LanePair,
  isSame: (pair: LanePair) => boolean,
): LaneLines => {
  const { recorded, now } = pair;
  if (recorded === undefined || now === undefined)
    return { recorded: toUnmasked(recorded?.lines ?? []), now: toUnmasked(now?.lines ?? []) };
  if (!isSame(pair)) return { recorded: before.linesOf(recorded.lines), now: after.linesOf(now.lines) };
  const lines = toUnmasked(now.lines);
  return { recorded: lines, now: lines };
};

/** When a call is answered with a task depends on the time, so only what both sessions sent before is compared. */
const upToTask = ({ recorded, now }: LanePair, lines: LaneLines): LaneLines => {
  if (!isAnsweredByTask(recorded) || !isAnsweredByTask(now)) return lines;
  const shared = Math.min(lines.recorded.length, lines.now.length) - 1;
  const cut = (side: readonly Compared[]): Compared[] => {
    const before = side.slice(0, shared);
    return [...(before.at(-1)?.label.endsWith('_delta') ? before.slice(0, -1) : before), ...side.slice(-1)];
  };
  return { recorded: cut(lines.recorded), now: cut(lines.now) };
};

const isAnsweredByTask = (lane: Lane | undefined): boolean =>
  shownTask(lane?.lines.at(-1)?.messages[0])?.resultType === 'task';

const isCancelled = ({ entries, calls }: SessionIndex, { recorded }: LanePair): boolean =>
  entries[recorded?.client?.entry ?? -1]?.messages.some(({ call = -1 }) => calls[call]?.cancel !== undefined) ?? false;

/** The lines of a cancelled call: its last text counts as far as both sessions have it. */
const withCutText = ({ recorded, now }: LaneLines): LaneLines => {
  const [at, atNow] = [recorded, now].map((lines) => lines.findLastIndex(({ value }) => isDelta(value))) as [
    number,
    number,
  ];
  const [before, after] = cutAlike(recorded[at]?.value, now[atNow]?.value);
  const withValue = (lines: readonly Compared[], place: number, value: unknown): readonly Compared[] =>
    lines.map((line, i) => (i === place ? { ...line, value, text: toCanonical(value) } : line));
  return { recorded: withValue(recorded, at, before), now: withValue(now, atNow, after) };
};

/** The lines of a lane, at their end the progress by which they differ. */
const withProgress = (pair: LanePair, { recorded, now }: LaneLines): LaneLines => {
  const [before, after] = newProgress(pair) ?? [];
  if (after === undefined) return { recorded, now };
  return { recorded: [...recorded, ...toUnmasked(before ? [before] : [])], now: [...now, ...toUnmasked([after])] };
};

/** A recorded exit code other than 0, or any end after a signal, may have been caused by the client. */
const compareExits = (recorded: SessionIndex, now: SessionIndex): LaneResult[] => {
  if (recorded.exit?.code !== 0 || recorded.signalled !== undefined) return [];
  if (now.exit === undefined || now.exit.code === 0) return [];
  const { code, signal } = now.exit;
  const reason = `recorded exit code 0, now ${code === null ? `ended by ${signal}` : `exit code ${code}`}`;
  const none = { recorded: [], now: [] };
  return [{ label: EXIT_LABEL, lineNumber: 0, ...none, difference: { at: 0, reason, values: [] } }];
};

const toResult = (pair: JoinedPair, lines: LaneLines): LaneResult => {
  const { label, lineNumber } = (pair.recorded ?? pair.now) as Lane;
  const result = { label, lineNumber, ...lines };
  const { recorded, now } = lines;
  if (pair.recorded === undefined || pair.now === undefined)
    return { ...result, difference: { at: 0, reason: pair.now === undefined ? NOT_NOW : ONLY_NOW, values: [] } };
  if (pair.changed) return { ...result, difference: { at: 0, reason: OTHERWISE, values: pair.changed } };
  const longest = Math.max(recorded.length, now.length);
  const at = Array.from({ length: longest }, (_, i) => i).find((i) => recorded[i]?.text !== now[i]?.text);
  if (at === undefined) return result;
  return { ...result, difference: { at, values: diffJson(recorded[at]?.value, now[at]?.value, 'message') } };
};

/** With more handles, every line is compared. */
const MAX_REBOUND = 50;

const isIdentical = ({ recorded, now }: LanePair): boolean =>
  recorded !== undefined &&
  recorded.lines.length === now?.lines.length &&
  recorded.lines.every(({ line }, i) => line === now.lines[i]?.line);

/** Makes a function that finds pairs with the same lines. Even a lane of the same bytes differs if the other session issued one of its handles elsewhere. */
export const isUntouched = (
  pairs: readonly LanePair[],
  [before, after]: readonly [Comparer, Comparer],
): ((pair: LanePair) => boolean) => {
  if (pairs.every(isIdentical)) return () => true;
  const rebound = lazy(() => reboundTexts(before.handles(), after.handles()));
  return (pair) =>
    isIdentical(pair) &&
    rebound().length <= MAX_REBOUND &&
    (pair.recorded?.lines.every(({ line }) => rebound().every((text) => !line.includes(text))) ?? true);
};

const reboundTexts = (before: Handles, after: Handles): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key)?.origin !== after.get(key)?.origin)
    .map((key) => key.replace(/^= /, ''));
