/** The events of the processes of a session: as they are published, and from the stream what was missed. A reducer decides which is read. */
import {
  BehaviorSubject,
  catchError,
  defer,
  distinctUntilChanged,
  interval,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  switchMap,
  throwError,
} from 'rxjs';
import type { StoredItem } from '../../executor/backend';
import { type Hole, isInHole } from '../../executor/lag/recoverLag';
import { isNatsFailure } from '../../io/nats/natsAddress';
import { type Accumulated, mapAccum, mapMulti } from '../../streams/gather';
import { type RecentMap, recentMap } from '../../streams/recentMap';
import type { UnreadReport } from '../executor/member';

type FollowDeps = {
  /** Events from the subject of the session, at most once. Errors with `refused` if the login may not subscribe. */
  published: Observable<StoredItem>;
  /** Reads the stream from a sequence on, and goes on with new messages. */
  stored: (from: number) => Observable<FollowInput>;
  /** Further inputs: reports of the executor, and that something may have been missed. */
  notes: Observable<FollowInput>;
  /** True if the session had another client before; its events are read first. */
  isResumed: boolean;
  /** True if the reader is slow: the stream waits for it, published events do not. */
  isFull: () => boolean;
};

/** How long both sources are read at least, if no event arrives. */
const SETTLE_MS = 300;

/**
 * Emits the events of each process in order, each once. A published event is emitted at once, before the stream has stored it; an event
 * that the stream refuses is published again. Where an event is missing, or may be, the stream is read to its end, from the first event that
 * nobody acknowledged; then both are read for a moment, so that none is lost in between. If the stream has a hole, it is read again from its beginning,
 * as it may have been recreated; a hole that remains was evicted. Errors with the stream. A login that may not subscribe reads only the stream.
 *   published  -1-2--5- - - -6--7
 *   stored           34-5----6        (begins with the gap before 5, and ends after 6, which both have)
 *   out        -1-2--34-5----6--7
 */
export const followEvents = (deps: FollowDeps): Observable<StoredItem> =>
  defer(() => {
    const begin = beginFollowing(deps);
    const now$ = new BehaviorSubject(begin); // the wire from what was received to what is read next
    const whileIn = (phases: readonly Following['phase'][], source: () => Observable<FollowInput>) =>
      now$.pipe(
        map(({ phase }) => phases.includes(phase)),
        distinctUntilChanged(),
        switchMap((isIn) => (isIn ? source() : NEVER)),
      );
    const stored = () =>
      now$.pipe(
        map(({ start }) => start),
        distinctUntilChanged(),
        switchMap(({ from }) => deps.stored(from)),
      );
    return merge(
      deps.notes,
      whileIn(['published', 'both'], () => deps.published.pipe(toPublished, catchError(denied))),
      whileIn(['stored', 'both'], stored),
      whileIn(['both'], () => interval(SETTLE_MS).pipe(map(() => SETTLED))),
    ).pipe(
      mapAccum(follow(deps.isFull), begin),
      mapMulti(({ item, state }: Followed, emit: (item: StoredItem) => void) => {
        if (item !== undefined) emit(item);
        if (state.phase !== now$.value.phase || state.start !== now$.value.start) now$.next(state);
      }),
    );
  });

const SETTLED: FollowInput = { kind: 'settled' };

const toPublished = map((item: StoredItem): FollowInput => ({ kind: 'published', item }));

const denied = (error: unknown): Observable<FollowInput> =>
  isNatsFailure(error, 'refused') ? of({ kind: 'denied' }) : throwError(() => error);

export type FollowInput =
  /** Events of a process, as published. */
  | { kind: 'published'; item: StoredItem }
  /** Events from the stream; `seq` is the sequence there, `pending` the number of further messages. Without an item: the end of the stream. */
  | { kind: 'stored'; item?: StoredItem; seq: number; pending: number }
  /** What the executor reports of the session. */
  | { kind: 'report'; report: UnreadReport }
  /** Something may have been lost. */
  | { kind: 'missed' }
  /** The login may not subscribe. */
  | { kind: 'denied' }
  /** Both sources were read for a moment. */
  | { kind: 'settled' };

export type Following = {
  /** Which sources are read. */
  phase: 'published' | 'stored' | 'both';
  /** All events in the stream before it were emitted or acknowledged, unless the stream was recreated. */
  from: number;
  /** Begin of the current or last reading of the stream; a new object for each reading. */
  start: { from: number };
  /** The stream was read to its end. */
  isAtEnd: boolean;
  isDenied: boolean;
  /** What the stream was searched for without success. */
  hopeless: string;
  /** Last event of each process; changes in place. A forgotten process is read again, and its reader drops what it has. */
  seen: RecentMap<number>;
  /** Last hole of each process in the stream; changes in place. */
  holes: RecentMap<Hole>;
};

type Followed = { state: Following; item?: StoredItem };

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

/**
 * A gap in a reading from the beginning of the stream was evicted: reading goes on after it. An event in it that comes later is emitted, for `markGaps` to
 * reject. A gap in any other reading may mean that the stream was recreated, and counts from 1 again: then it is read from its beginning.
 */
const stored = (state: Following, { item, seq, pending }: Extract<FollowInput, { kind: 'stored' }>): Followed => {
  const isKnown = item !== undefined && !isNew(state, item) && !isMissing(state, item);
  if (item !== undefined && state.start.from > 1 && isBehindGap(state, item)) return { state: readFromBegin(state) };
  const now = { ...state, from: Math.max(state.from, seq + 1), isAtEnd: pending === 0 };
  const next: Following = { ...now, phase: pending === 0 ? phaseAtEnd(state, isKnown) : state.phase };
  return item === undefined || isKnown ? { state: next } : emitted(next, item);
};

/** At the end of the stream both are read, until the last stored event was published too; then `published` alone. */
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
