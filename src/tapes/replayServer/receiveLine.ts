/** Opens a playback session, and lets it receive lines of the client. */

import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { namesOf, type Renaming } from '../../protocol/jsonrpc/requestNames';
import { itemAt, withItem } from '../session/sparseArray';
import { differingValues } from './clientValues';
import type { PlaybackSession, Progress } from './playbackSession';
import { releaseLines } from './releaseLines';
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
