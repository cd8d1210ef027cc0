/** Opens a playback session, and lets it receive lines of the client. */
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { namesOf, type Renaming } from '../../protocol/jsonrpc/requestNames';
import type { ServerLine } from '../session/sessionIndex';
import { itemAt, withItem } from '../session/sparseArray';
import { differingValues } from './clientValues';
import type { PlaybackSession, Progress, ReleasedLine } from './playbackSession';
import type { ServerPlan } from './serverPlan';

/** A session before its first line, with the lines that the server sends unasked. */
export const openPlaybackSession = (plan: ServerPlan, startMs: number): Progress => {
  const session: PlaybackSession = {
    startMs,
    arrivals: [],
    received: [],
    lanes: [],
    waiting: [],
    openRequests: [],
    values: [],
  };
  return releaseLines(plan, session, [...plan.lanes.keys()]);
};

/** A client may make up a value for each call, and old ones are hardly repeated. */
const MAX_VALUES = 100;

/** A client line was received: `line` is the recorded one that it is, `messages` are its own. */
export type LineArrival = { line: number; messages: readonly TapeMessage[]; atMs: number };

/** The session after a client line, with what it releases. */
export const receiveLine = (
  plan: ServerPlan,
  before: PlaybackSession,
  { line, messages, atMs }: LineArrival,
): Progress => {
  const recorded = plan.index.clientLines[line]?.messages ?? [];
  const renamings = toRenamings(recorded, messages);
  const values = recorded.flatMap((one, i) => differingValues(one, messages[i]));
  const arrivals = withItem(before.arrivals, line, { atMs, renamings });
  const session = {
    ...before,
    arrivals,
    received: countReceived(plan, { ...before, arrivals }, line),
    waiting: withItem(before.waiting, line, undefined),
    values: values.length === 0 ? before.values : [...before.values, ...values].slice(-MAX_VALUES),
  };
  return releaseLines(plan, session, itemAt(before.waiting, line) ?? []);
};

/** The names of the recorded requests, and those that stand for them now. */
const toRenamings = (recorded: readonly TapeMessage[], messages: readonly TapeMessage[]): Renaming[] => {
  const now = messages.flatMap(namesOf);
  return recorded.flatMap(namesOf).flatMap(({ by, name }, i) => {
    const other = now[i];
    return other?.by === by ? [{ by, recorded: name, now: other.name }] : [];
  });
};

const countReceived = (plan: ServerPlan, { arrivals, received }: PlaybackSession, line: number) => {
  const { id, lines } = plan.linesByKey.get(plan.keyOf[line] ?? '') ?? { id: -1, lines: [] };
  if (id === -1) return received;
  let count = itemAt(received, id) ?? 0;
  while (count < lines.length && itemAt(arrivals, lines[count] as number)) count += 1;
  return withItem(received, id, count);
};

/** The session after releasing what it can of these owners' lines. */
export const releaseLines = (plan: ServerPlan, session: PlaybackSession, owners: readonly number[]): Progress => {
  const progress = owners.reduce<Progress>(
    (before, owner) => {
      const { session: next, released } = advanceLane(plan, before.session, owner);
      return { session: next, released: [...before.released, ...released] };
    },
    { session, released: [] },
  );
  return { ...progress, released: progress.released.toSorted((a, b) => a.index - b.index) };
};

/** Releases the lines of one owner up to the first that waits for a client line. */
const advanceLane = (plan: ServerPlan, session: PlaybackSession, owner: number): Progress => {
  const lines = plan.lanes.get(owner) ?? [];
  const released: ReleasedLine[] = [];
  let { next, waitsFor } = itemAt(session.lanes, owner + 1) ?? { next: 0, waitsFor: Math.max(0, owner) };
  for (let index = lines[next]; index !== undefined; index = lines[++next]) {
    const line = plan.index.serverLines[index] as ServerLine;
    while (waitsFor < line.clientLinesBefore && itemAt(session.arrivals, waitsFor)) waitsFor += 1;
    if (waitsFor < line.clientLinesBefore) break;
    released.push(release(plan, session, index));
  }
  const isWaiting = next < lines.length;
  return {
    session: {
      ...session,
      lanes: withItem(session.lanes, owner + 1, { next, waitsFor }),
      waiting: isWaiting ? withWaiting(session, waitsFor, owner) : session.waiting,
      openRequests: [...session.openRequests, ...released.filter(isRequest).map(({ index }) => index)],
    },
    released,
  };
};

const withWaiting = ({ waiting }: PlaybackSession, line: number, owner: number): PlaybackSession['waiting'] =>
  withItem(waiting, line, [...(itemAt(waiting, line) ?? []), owner]);

const isRequest = ({ line }: ReleasedLine): boolean => line.messages.some(({ kind }) => kind === 'request');

const release = ({ index: { clientLines, serverLines } }: ServerPlan, session: PlaybackSession, index: number) => {
  const line = serverLines[index] as ServerLine;
  const before = line.clientLinesBefore - 1;
  return {
    line,
    index,
    renamings: itemAt(session.arrivals, line.owner)?.renamings ?? [],
    values: session.values,
    fromMs: itemAt(session.arrivals, before)?.atMs ?? session.startMs,
    afterMs: Math.max(0, line.t - (clientLines[before]?.t ?? 0)),
  };
};
