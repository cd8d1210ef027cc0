/** One run through a recording: which client lines have been received, and which server lines that releases. */
import type { Renaming } from '../../protocol/jsonrpc/requestNames';
import type { ServerLine } from '../session/sessionIndex';
import { itemAt, itemsOf, type SparseArray, withItem } from '../session/sparseArray';
import type { ClientValue } from './clientValues';
import type { ServerPlan } from './serverPlan';

/** A client line that was received: when, and the names that its requests have now. */
export type Arrival = { atMs: number; renamings: readonly Renaming[] };

/** The server lines of one owner: `next` is the first that was not released, `waitsFor` the client line that it waits for. */
type Lane = { next: number; waitsFor: number };

/**
 * `arrivals` and `waiting` (the owners of the lanes that wait) are by client line, `lanes` by owner + 1, `received` (how many lines of a key,
 * from its first, have been received) by the id of the key. `openRequests` are server lines whose requests have no
 * response yet. `values` are those that the client made up anew.
 */
export type PlaybackSession = {
  startMs: number;
  arrivals: SparseArray<Arrival>;
  received: SparseArray<number>;
  lanes: SparseArray<Lane>;
  waiting: SparseArray<readonly number[]>;
  openRequests: readonly number[];
  values: readonly ClientValue[];
};

/** A server line to send: `afterMs` of the recording after `fromMs`, the time of a line of this session. */
export type ReleasedLine = {
  line: ServerLine;
  index: number;
  renamings: readonly Renaming[];
  values: readonly ClientValue[];
  fromMs: number;
  afterMs: number;
};

/** A session and the lines that the latest input released, in recorded order. */
export type Progress = { session: PlaybackSession; released: readonly ReleasedLine[] };

/** The first client line of a key that was not received. */
export const nextOfKey = (plan: ServerPlan, { received }: PlaybackSession, key: string): number | undefined => {
  const keyed = plan.linesByKey.get(key);
  return keyed?.lines[itemAt(received, keyed.id) ?? 0];
};

/** The client lines that were not received, without those that answer the server. */
export const unreceivedLines = ({ keyOf }: ServerPlan, { arrivals }: PlaybackSession): number[] =>
  [...keyOf.keys()].filter((line) => keyOf[line] !== undefined && !itemAt(arrivals, line));

/** The session without the lines that are left of this owner. */
export const withoutLane = ({ lanes }: ServerPlan, session: PlaybackSession, owner: number): PlaybackSession => ({
  ...session,
  lanes: withItem(session.lanes, owner + 1, { next: lanes.get(owner)?.length ?? 0, waitsFor: 0 }),
});

/** All names that requests have now. */
export const renamingsOf = ({ arrivals }: PlaybackSession): Renaming[] =>
  itemsOf(arrivals).flatMap(({ renamings }) => renamings);
