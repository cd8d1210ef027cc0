/** One run through a recording: which client lines have been received, and which server lines that releases. */
import type { Renaming } from '../../protocol/jsonrpc/requestNames';
import type { ServerLine } from '../session/sessionIndex';
import { itemAt, itemsOf, type SparseArray, withItem } from '../session/sparseArray';
import type { ClientValue } from './clientValues';
import type { ServerPlan } from './serverPlan';

/** A client line that was received: when, and the names that its requests have now. */
export type Arrival = { atMs: number; renamings: readonly Renaming[] };

/** The server lines that belong to one client line, their owner. */
type Lane = {
  /** The first line that was not released. */
  next: number;
  /** The client line that it waits for. */
  waitsFor: number;
};

/** The state of a playback session. */
export type PlaybackSession = {
  startMs: number;
  /** By client line. */
  arrivals: SparseArray<Arrival>;
  /** By the id of a key: how many of its client lines were received, counted from the first. */
  received: SparseArray<number>;
  /** By owner + 1. */
  lanes: SparseArray<Lane>;
  /** By client line: the owners of the lanes that wait for it. */
  waiting: SparseArray<readonly number[]>;
  /** Server lines whose requests have no response yet. */
  openRequests: readonly number[];
  /** Ids, times and other values that this client has in place of recorded ones. */
  values: readonly ClientValue[];
};

/** A server line to send, with the names and values of this client. */
export type ReleasedLine = {
  line: ServerLine;
  index: number;
  renamings: readonly Renaming[];
  values: readonly ClientValue[];
  /** The time of the client line before it, in this session. */
  fromMs: number;
  /** How long after that line it was sent in the recording. */
  afterMs: number;
};

/** A session and the lines that the latest input released, in recorded order. */
export type Progress = { session: PlaybackSession; released: readonly ReleasedLine[] };

/** The first client line of a key that was not received. */
export const nextOfKey = (plan: ServerPlan, { received }: PlaybackSession, key: string): number | undefined => {
  const keyed = plan.linesByKey.get(key);
  return keyed?.lines[itemAt(received, keyed.id) ?? 0];
};

/** The client lines that were not received, without responses to the server. */
export const unreceivedLines = ({ keyOf }: ServerPlan, { arrivals }: PlaybackSession): number[] =>
  [...keyOf.keys()].filter((line) => keyOf[line] !== undefined && !itemAt(arrivals, line));

/** The session without the remaining lines of an owner. */
export const withoutLane = ({ lanes }: ServerPlan, session: PlaybackSession, owner: number): PlaybackSession => ({
  ...session,
  lanes: withItem(session.lanes, owner + 1, { next: lanes.get(owner)?.length ?? 0, waitsFor: 0 }),
});

/** All names that requests have now. */
export const renamingsOf = ({ arrivals }: PlaybackSession): Renaming[] =>
  itemsOf(arrivals).flatMap(({ renamings }) => renamings);
