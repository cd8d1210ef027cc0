/** Compares two sessions: for each line of the client, what the server sent because of it. */

import { withoutRequestNames } from '../../protocol/jsonrpc/requestNames';
import { lazy } from '../../streams/lazy';
import { type Difference, diffJson } from '../../streams/marbles/diffJson';
import type { Handles } from '../handles/handles';
import { isDescription } from '../handles/isDescription';
import type { Masks } from '../matching/mask';
import { groupBy } from '../session/groupBy';
import type { SessionIndex } from '../session/sessionIndex';
import { bindIds, type LaneLines } from './bindIds';
import { type Compared, type Comparer, toComparer, toUnmasked } from './toComparer';
import { type Lane, toLanes } from './toLanes';

/**
 * `at` is the first place in the lane where the sessions differ; one that has ended has no line there. `reason` is set where
 * one of them does not have the lane at all, or the client sends something else.
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
const OTHERWISE = 'the client sends this differently now';

/**
 * Compares lane by lane, and whether a server that ended with exit code 0 does so again. These do not count: the order between lanes, which
 * is the scheduler's; names of requests; what the masks hide; ids that were generated anew; where a text was cut into deltas; whether the
 * end of input was recorded.
 */
export const compare = (recorded: SessionIndex, now: SessionIndex, masks: Masks): LaneResult[] => {
  const [before, after] = [recorded, now].map(
    (index): Side => ({ lanes: toLanes(index, masks), comparer: toComparer(index, masks) }),
  ) as [Side, Side];
  const pairs = joinChanged(pairLanes(before, after));
  const isSame = isUntouched(pairs, [before.comparer, after.comparer]);
  const lanes = pairs.map((pair) => linesOf([before.comparer, after.comparer], pair, isSame));
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

/** A recorded exit code other than 0, or a signal, may be the doing of the client. */
const compareExits = (recorded: SessionIndex, now: SessionIndex): LaneResult[] => {
  if (recorded.exit?.code !== 0 || now.exit === undefined || now.exit.code === 0) return [];
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

/** The most handles that every line is searched for. */
const MAX_REBOUND = 50;

/** Whether both lanes of a pair have the same lines, to the byte. */
const isIdentical = ({ recorded, now }: LanePair): boolean =>
  recorded !== undefined &&
  recorded.lines.length === now?.lines.length &&
  recorded.lines.every(({ line }, i) => line === now.lines[i]?.line);

/**
 * Makes the function that finds such pairs. Even a lane of the same bytes differs where it has a handle that the other session
 * issued elsewhere.
 */
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

/** The texts of handles that the sessions issued at different places. */
const reboundTexts = (before: Handles, after: Handles): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key)?.origin !== after.get(key)?.origin)
    .map((key) => key.replace(/^= /, ''));

/** `changed` is how the client's line differs, where it is another one in the place of the recorded. */
type JoinedPair = LanePair & { changed?: readonly Difference[] };

/**
 * Joins the n-th request that only the one session has with the n-th that only the other has, where both are of one method and tool. Then two lanes that
 * have one cause, such as a client with another name, are one difference.
 */
const joinChanged = (pairs: readonly LanePair[]): JoinedPair[] => {
  const added = pairs.flatMap(({ recorded, now }) => (now && !recorded && isRequest(now) ? [now] : []));
  const byLabel = groupBy(added, ({ label }) => label);
  const partners = new Map<Lane, Lane>();
  for (const { recorded, now } of pairs) {
    const partner = recorded && !now && isRequest(recorded) ? byLabel.get(recorded.label)?.shift() : undefined;
    if (recorded && partner) partners.set(recorded, partner);
  }
  const joined = new Set(partners.values());
  return pairs.flatMap((pair): JoinedPair[] => {
    const now = pair.recorded && partners.get(pair.recorded);
    if (pair.recorded && now) return [{ recorded: pair.recorded, now, changed: changesOf(pair.recorded, now) }];
    return pair.recorded === undefined && pair.now && joined.has(pair.now) ? [] : [pair];
  });
};

const isRequest = ({ client }: Lane): boolean => client?.messages[0]?.kind === 'request';

const changesOf = (recorded: Lane, now: Lane): readonly Difference[] =>
  diffJson(messageOf(recorded), messageOf(now), 'message');

const messageOf = ({ client }: Lane): unknown =>
  client?.value === undefined ? client?.line : withoutRequestNames(client.value);

/** A recorded lane and the one in its place; undefined where there is none. */
export type LanePair = { recorded?: Lane; now?: Lane };

/** One side of a comparison. */
export type Side = { lanes: readonly Lane[]; comparer: Comparer };

/**
 * Pairs the n-th line of one meaning with the n-th of the other side, in recorded order; what stands alone on the other side comes last. Lines
 * that are the same to the byte are paired first, which spares most of the work.
 */
export const pairLanes = (recorded: Side, now: Side): LanePair[] => {
  const bySame = pairBy(recorded.lanes, now.lanes, ({ client, label }) => client?.line ?? label);
  const restNow = now.lanes.filter((lane) => !bySame.taken.has(lane));
  const restRecorded = recorded.lanes.filter((lane) => !bySame.partner.has(lane));
  const keyOf =
    ({ comparer }: Side) =>
    ({ client, label }: Lane): string =>
      client ? comparer.keyOf(client) : label;
  const keysNow = new Map(restNow.map((lane) => [lane, keyOf(now)(lane)]));
  const byKey = pairBy(restRecorded, restNow, (lane) => keysNow.get(lane) ?? keyOf(recorded)(lane));
  const pairs = recorded.lanes.map((lane): LanePair => {
    const other = bySame.partner.get(lane) ?? byKey.partner.get(lane);
    return other === undefined ? beside(lane, 'recorded') : { recorded: lane, now: other };
  });
  return [...pairs, ...restNow.filter((lane) => !byKey.taken.has(lane)).map((lane) => beside(lane, 'now'))];
};

/** A lane that belongs to no line of the client has an empty one on the other side. */
const beside = (lane: Lane, side: 'recorded' | 'now'): LanePair =>
  lane.client ? { [side]: lane } : { recorded: { ...lane, lines: [] }, now: { ...lane, lines: [] }, [side]: lane };

type Paired = { partner: ReadonlyMap<Lane, Lane>; taken: ReadonlySet<Lane> };

const pairBy = (recorded: readonly Lane[], now: readonly Lane[], keyOf: (lane: Lane) => string): Paired => {
  const groups = groupBy(now, keyOf);
  const counts = new Map<string, number>();
  const partner = new Map<Lane, Lane>();
  for (const lane of recorded) {
    const key = keyOf(lane);
    const count = counts.get(key) ?? 0;
    const other = groups.get(key)?.[count];
    if (other === undefined) continue;
    counts.set(key, count + 1);
    partner.set(lane, other);
  }
  return { partner, taken: new Set(partner.values()) };
};
