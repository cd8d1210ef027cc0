/** Compares two sessions: for each line of the client, what the server sent because of it. */
import { type Difference, diffJson } from '../marbles';
import type { Masks, SessionIndex } from '../session';
import { isUntouched } from './isUntouched';
import { type LanePair, pairLanes, type Side } from './pairLanes';
import { type Compared, type Comparer, toComparer, toUnmasked } from './toComparer';
import { type Lane, toLanes } from './toLanes';

/**
 * `at` is the first place in the lane where the sessions differ; one that has ended has no line there. `reason` is set where
 * one of them does not have the lane at all.
 */
export type LaneResult = {
  label: string;
  lineNumber: number;
  recorded: readonly Compared[];
  now: readonly Compared[];
  difference?: { at: number; reason?: string; values: readonly Difference[] };
};

/** The reason of a lane that the new session does not have. */
export const NOT_NOW = 'the client did not get to send this now';
/** The label of the result on exit codes. */
export const EXIT_LABEL = 'the exit of the server';

const ONLY_NOW = 'the client sends this only now';

/**
 * Compares lane by lane, and whether a server that ended with exit code 0 does so again. These do not count: the order
 * between lanes, which is the scheduler's; names of requests; what the masks hide; where a text was cut into deltas; whether the end of input was recorded.
 */
export const compare = (recorded: SessionIndex, now: SessionIndex, masks: Masks): LaneResult[] => {
  const [before, after] = [recorded, now].map(
    (index): Side => ({ lanes: toLanes(index, masks), comparer: toComparer(index, masks) }),
  ) as [Side, Side];
  const pairs = pairLanes(before, after);
  const comparers = [before.comparer, after.comparer] as const;
  const isSame = isUntouched(pairs, comparers);
  return [...pairs.map((pair) => comparePair(comparers, pair, isSame)), ...compareExits(recorded, now)];
};

const comparePair = (
  [before, after]: readonly [Comparer, Comparer],
  pair: LanePair,
  isSame: (pair: LanePair) => boolean,
): LaneResult => {
  const { recorded, now } = pair;
  if (now === undefined) {
    const lane = recorded as Lane;
    return toResult(lane, { recorded: toUnmasked(lane.lines), now: [] }, NOT_NOW);
  }
  if (recorded === undefined) return toResult(now, { recorded: [], now: toUnmasked(now.lines) }, ONLY_NOW);
  if (!isSame(pair)) {
    return toResult(recorded, { recorded: before.linesOf(recorded.lines), now: after.linesOf(now.lines) }, undefined);
  }
  const lines = toUnmasked(now.lines);
  return { label: recorded.label, lineNumber: recorded.lineNumber, recorded: lines, now: lines };
};

/** A recorded exit code other than 0, or a signal, may be the doing of the client. */
const compareExits = (recorded: SessionIndex, now: SessionIndex): LaneResult[] => {
  if (recorded.exit?.code !== 0 || now.exit === undefined || now.exit.code === 0) return [];
  const { code, signal } = now.exit;
  const reason = `recorded exit code 0, now ${code === null ? `ended by ${signal}` : `exit code ${code}`}`;
  const none = { recorded: [], now: [] };
  return [{ label: EXIT_LABEL, lineNumber: 0, ...none, difference: { at: 0, reason, values: [] } }];
};

type Sides = Pick<LaneResult, 'recorded' | 'now'>;

const toResult = (
  { label, lineNumber }: Pick<Lane, 'label' | 'lineNumber'>,
  sides: Sides,
  reason: string | undefined,
): LaneResult => {
  const result = { label, lineNumber, ...sides };
  if (reason !== undefined) return { ...result, difference: { at: 0, reason, values: [] } };
  const { recorded, now } = sides;
  const longest = Math.max(recorded.length, now.length);
  const at = Array.from({ length: longest }, (_, i) => i).find((i) => recorded[i]?.text !== now[i]?.text);
  if (at === undefined) return result;
  return { ...result, difference: { at, values: diffJson(recorded[at]?.value, now[at]?.value, 'message') } };
};
