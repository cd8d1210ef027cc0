/** A recording that is prepared for being played as a server, one run through it, and what playing it emits. */
import { toJson } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { type Renaming, renameRequests } from '../../protocol/jsonrpc/requestNames';
import { lazy } from '../../streams/lazy';
import { type Handles, toHandles } from '../handles/handles';
import { matchKey } from '../matching/matchKey';
import { groupBy } from '../session/groupBy';
import type { ServerLine, SessionIndex } from '../session/sessionIndex';
import { itemAt, itemsOf, type SparseArray, withItem } from '../session/sparseArray';
import { type ClientValue, withClientValues } from './clientValues';
import { type Polls, toPolls } from './polls';

/** The key of the end of the client's input. */
export const END_KEY = 'end';

type KeyedLines = {
  /** Counts keys from 0. */
  id: number;
  lines: readonly number[];
};

/** What is known about a recording before it is played. */
export type ServerPlan = {
  index: SessionIndex;
  /** The key of each client line; undefined if the line answers the server. */
  keyOf: readonly (string | undefined)[];
  linesByKey: ReadonlyMap<string, KeyedLines>;
  /** The server lines by the client line that they belong to; -1 for none. */
  lanes: ReadonlyMap<number, readonly number[]>;
  /** Found when they are first needed. */
  handles: () => Handles;
  polls: Polls;
};

/** Makes the plan; linear in the length of the recording. */
export const toServerPlan = (index: SessionIndex): ServerPlan => {
  const polls = toPolls(index);
  const keyOf = index.clientLines.map((line) => {
    if (line.kind === 'endOfInput') return END_KEY;
    return line.answers === undefined ? matchKey(line) : undefined;
  });
  const groups = [...groupBy(keyOf.keys(), (line) => keyOf[line])].flatMap(([key, lines]) =>
    key === undefined ? [] : [[key, lines] as const],
  );
  return {
    index,
    keyOf,
    linesByKey: new Map(groups.map(([key, lines], id) => [key, { id, lines }])),
    lanes: groupBy(index.serverLines.keys(), (line) => ownerOf(polls, index.serverLines[line])),
    handles: lazy(() => toHandles(index)),
    polls,
  };
};

/** What the server sent after a poll, without naming it, does not wait for polls. */
const ownerOf = ({ isPoll }: Polls, line: ServerLine | undefined): number => {
  let owner = line?.owner ?? -1;
  while (line?.link === 'order' && isPoll(owner)) owner -= 1;
  return owner;
};

/** A client line that was received: when, and the names that its requests have now. */
type Arrival = { atMs: number; renamings: readonly Renaming[] };

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

const NOT_RECORDED = -32050;

/** A line to send. */
export type PlayedLine = {
  kind: 'line';
  line: string;
  /** The time of the client line before it. */
  fromMs: number;
  /** How long after `fromMs` it was sent in the recording. */
  afterMs: number;
  /** Of an HTTP response that is an error. */
  status?: number;
};

/** A text for the person who watches. */
export type Remark = {
  kind:
    | 'unrecorded' // the client sent what the recording does not have
    | 'substituted' // a line was taken for a similar one
    | 'session' // which session of several is played
    | 'next' // the line that waits for a step
    | 'unplayed' // the session ended before the recording
    | 'fault' // a line was not sent as it is, or how the client reacts to a fault
    | 'crash' // the server ends as if it had crashed
    | 'end'; // the server ends, because a fault says so
  text: string;
};

/** A line to send, or a remark. */
export type PlaybackEvent = PlayedLine | Remark;

/** A recorded line, with the request names and the values of this client. */
export const toLine = ({ line, renamings, values, fromMs, afterMs }: ReleasedLine): PlaybackEvent => ({
  kind: 'line',
  line: withClientValues(renameRequests(line, renamings), values),
  fromMs,
  afterMs,
  ...(line.status !== undefined && { status: line.status }),
});

/** The error response for a request that cannot be answered as recorded. */
export const toErrorLine = (id: RequestId, message: string, data?: unknown): PlaybackEvent => ({
  kind: 'line',
  line: toJson({ jsonrpc: '2.0', id, error: { code: NOT_RECORDED, message, data } }),
  fromMs: 0,
  afterMs: 0,
});
