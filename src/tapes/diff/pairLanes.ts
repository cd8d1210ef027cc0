/** Pairs the lanes of two sessions by what the client sent. */
import { groupBy } from '../session/groupBy';
import type { Comparer } from './toComparer';
import type { Lane } from './toLanes';

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
