/** Decides whether the events of a session are read as they are published, from the stream, or both. */

import { type Hole, isInHole } from '../../executor/lag/hole';
import type { StoredItem } from '../../executor/storedEvent';
import type { Accumulated } from '../../streams/gather';
import { type RecentMap, recentMap } from '../../streams/recentMap';
import type { UnreadReport } from '../executor/unreadReport';

/**
 * - `published`: events of a process, as published
 * - `stored`: events from the stream, `seq` being the number there; `pending` more follow. Without an item: the end of the stream
 * - `report`: what the executor reports of the session
 * - `missed`: something may have been lost
 * - `denied`: the login may not subscribe
 * - `settled`: both sources were read for a moment
 */
export type FollowInput =
  | { kind: 'published'; item: StoredItem }
  | { kind: 'stored'; item?: StoredItem; seq: number; pending: number }
  | { kind: 'report'; report: UnreadReport }
  | { kind: 'missed' }
  | { kind: 'denied' }
  | { kind: 'settled' };

/**
 * - `phase`: which sources are read
 * - `from`: all events in the stream before it were emitted or acknowledged, unless the stream was recreated
 * - `start`: where the current or the last reading of the stream began; each reading has an object of its own
 * - `isAtEnd`: the stream was read to its end
 * - `seen`: the last event of each process; changes in place, with each message. A forgotten process is read again, and its reader
 *   drops what it has
 * - `holes`: the last hole of each process in the stream; changes likewise
 * - `hopeless`: what the stream was searched for without success
 */
export type Following = {
  phase: 'published' | 'stored' | 'both';
  from: number;
  start: { from: number };
  isAtEnd: boolean;
  isDenied: boolean;
  hopeless: string;
  seen: RecentMap<number>;
  holes: RecentMap<Hole>;
};

/** The state after an input, and what is emitted. */
export type Followed = { state: Following; item?: StoredItem };

const MAX_SEEN = 4_096;

/** A session that had another client is read from the beginning of what the stream has. */
export const beginFollowing = ({ isResumed }: { isResumed: boolean }): Following => ({
  phase: isResumed ? 'stored' : 'published',
  from: 1,
  start: { from: 1 },
  isAtEnd: false,
  isDenied: false,
  hopeless: '',
  seen: recentMap(MAX_SEEN),
  holes: recentMap(MAX_SEEN),
});

/** A reducer; see `followEvents`. */
export const follow =
  (isFull: () => boolean) =>
  (state: Following, input: FollowInput): Accumulated<Following, Followed> => {
    const next = step(state, input, isFull);
    return { state: next.state, output: next };
  };

const step = (state: Following, input: FollowInput, isFull: () => boolean): Followed => {
  switch (input.kind) {
    case 'published':
      return isFull() ? { state: readFromStream(state) } : published(state, input.item);
    case 'stored':
      return stored(state, input);
    case 'report':
      return { state: state.phase === 'published' ? reported(state, input.report) : state };
    case 'missed':
      return { state: readFromStream(state) };
    case 'denied':
      return { state: { ...readFromStream(state), isDenied: true } };
    case 'settled':
      return { state: state.phase === 'both' && state.isAtEnd ? { ...state, phase: 'published' } : state };
  }
};

/** Reads the stream; a reading that is under way goes on. */
const readFromStream = (state: Following): Following => ({
  ...state,
  phase: 'stored',
  isAtEnd: false,
  start: state.phase === 'published' ? { from: state.from } : state.start,
});

/** Reads the stream again, from its beginning. */
const readFromBegin = (state: Following): Following => ({ ...readFromStream(state), from: 1, start: { from: 1 } });

const firstOf = ({ placed }: StoredItem): number => placed[0]?.event.seq ?? 0;
const lastOf = ({ placed }: StoredItem): number => placed.at(-1)?.event.seq ?? 0;

const isNew = ({ seen }: Following, item: StoredItem): boolean => lastOf(item) > (seen.get(item.processId) ?? 0);

const isMissing = ({ holes }: Following, item: StoredItem): boolean =>
  isInHole(holes.get(item.processId), firstOf(item));

const isBehindGap = ({ seen }: Following, item: StoredItem): boolean =>
  firstOf(item) > (seen.get(item.processId) ?? 0) + 1;

const emitted = (state: Following, item: StoredItem): Followed => {
  const last = state.seen.get(item.processId) ?? 0;
  if (isBehindGap(state, item)) state.holes.set(item.processId, { from: last + 1, to: firstOf(item) - 1 });
  state.seen.set(item.processId, Math.max(last, lastOf(item)));
  return { state, item };
};

/** An event after a gap is dropped: the stream has it too. */
const published = (state: Following, item: StoredItem): Followed => {
  if (!isNew(state, item)) return { state };
  if (!isBehindGap(state, item)) return emitted(state, item);
  return { state: state.phase === 'published' ? readFromStream(state) : state };
};

type StoredInput = Extract<FollowInput, { kind: 'stored' }>;

/**
 * A gap in a reading from the beginning of the stream was evicted: reading goes on after it. An event in it that comes later is emitted, for `markGaps` to
 * reject. A gap in any other reading may mean that the stream was recreated, and counts from 1 again: then it is read from its beginning.
 */
const stored = (state: Following, { item, seq, pending }: StoredInput): Followed => {
  const isKnown = item !== undefined && !isNew(state, item) && !isMissing(state, item);
  if (item !== undefined && state.start.from > 1 && isBehindGap(state, item)) return { state: readFromBegin(state) };
  const now = { ...state, from: Math.max(state.from, seq + 1), isAtEnd: pending === 0 };
  const next: Following = { ...now, phase: pending === 0 ? phaseAtEnd(state, isKnown) : state.phase };
  return item === undefined || isKnown ? { state: next } : emitted(next, item);
};

/** At the end of the stream both are read, until the last stored event turns out to be one that was published too; then `published` alone. */
const phaseAtEnd = ({ phase, isDenied }: Following, isKnown: boolean): Following['phase'] => {
  if (isDenied) return 'stored';
  return phase === 'both' && isKnown ? 'published' : 'both';
};

/** Searches the stream only once for the same missing events, from where the executor reports them: its stream may have been recreated. */
const reported = (state: Following, { from, unread }: UnreadReport): Following => {
  const now = { ...state, from: Math.max(state.from, from) };
  const missing = unread.filter(({ processId, throughSeq }) => (state.seen.get(processId) ?? 0) < throughSeq);
  const hopeless = JSON.stringify(missing);
  return missing.length === 0 || hopeless === state.hopeless ? now : { ...readFromStream({ ...now, from }), hopeless };
};
