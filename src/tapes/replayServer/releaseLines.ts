/** Releases the server lines for which every client line has been received. */
import type { ServerLine } from '../session/sessionIndex';
import { itemAt, withItem } from '../session/sparseArray';
import type { PlaybackSession, Progress, ReleasedLine } from './playbackSession';
import type { ServerPlan } from './serverPlan';

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
