/** The threads on a server: read and listed, and what a person does to them: fork, archive, restore, remove. */
import {
  defaultIfEmpty,
  defer,
  EMPTY,
  filter,
  from,
  last,
  map,
  merge,
  mergeScan,
  type Observable,
  of,
  reduce,
  switchMap,
  takeWhile,
  throwError,
  throwIfEmpty,
  timeout,
} from 'rxjs';
import { isUuid, toUuid } from '../../protocol/codex/toUuid';
import { noBackpressure } from '../../streams/backpressure';
import { mapAtOnce } from '../../streams/scanInTurn';
import { inputFirst } from '../../streams/time/limits';
import { forkLines } from '../../threads/forkLines';
import { pickThread } from '../../threads/listing/pickThread';
import { newestFirst, readRolloutName, toRolloutName } from '../../threads/listing/rolloutFiles';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { NotArchivedError, ThreadError } from '../../threads/threadError';
import type { ThreadStore } from '../../threads/threadStore';
import type { NatsStored } from '../link/natsLink';
import { fromToken, lastToken } from '../link/tokens';
import { readStream } from '../operators/readStream';
import { appendText, type LogState } from './appendText';
import { type LeaseHere, leaseOf } from './lease';
import { factsAt, type KnownFacts, readLines } from './threadLog';
import type { ThreadPlace } from './threadPlace';
import { withLease } from './withLease';

const AT_ONCE = 16;
/** How long a consumer may be silent before the messages that it has not brought are asked for one by one. */
const SILENCE = { first: 30_000, each: 2_000 };

/**
 * Emits all threads once, the newest first. A consumer runs on any server of a cluster, which may not know a thread that was just made: the
 * leader of the stream lists the subjects, and the last message of missing subjects is asked for. A consumer of last
 * messages may also lose a message that does not fit into a request for messages, and then never reaches its end (nats-server 2.9.10: more
 * than 2 MB of last messages).
 */
export const listLog = (place: ThreadPlace): Observable<ThreadSummary[]> =>
  place.link.countMessages(place.stream, `${place.subjects}.*`).pipe(
    switchMap((counts) =>
      lastOfEach(place).pipe(
        reduce<NatsStored, BySubject>((seen, last) => seen.set(last.subject, last), new Map()),
        switchMap((seen) => withMissing(place, Object.keys(counts), seen)),
      ),
    ),
    mapAtOnce(AT_ONCE, (last) => summaryOf(place, last)),
    reduce<ThreadSummary, ThreadSummary[]>((all, one) => {
      all.push(one); // in place: there may be tens of thousands
      return all;
    }, []),
    map((all) => all.sort(newestFirst)),
  );

/** The threads of a list that come after the thread of this path. If it is gone, the threads that began before its second. */
export const threadsAfter = (all: readonly ThreadSummary[], after: string | undefined): readonly ThreadSummary[] => {
  if (after === undefined) return all;
  const at = all.findIndex(({ path }) => path === after);
  if (at >= 0) return all.slice(at + 1);
  const last = readRolloutName(after.slice(after.lastIndexOf('/') + 1));
  return last === undefined ? [] : all.filter(({ startedMs }) => startedMs < last.startedMs);
};

const lastOfEach = ({ link, stream, subjects }: ThreadPlace): Observable<NatsStored> =>
  readStream(link)({ stream, subject: `${subjects}.*`, from: 'lastOfEach', backpressure: noBackpressure }).pipe(
    takeWhile(({ kind }) => kind !== 'caughtUp'),
    timeout({ ...SILENCE, scheduler: inputFirst, with: () => EMPTY }),
    filter((read): read is NatsStored => read.kind === 'message'),
  );

type BySubject = Map<string, NatsStored>;

const withMissing = (
  { link, stream }: ThreadPlace,
  subjects: readonly string[],
  seen: BySubject,
): Observable<NatsStored> =>
  merge(
    from(seen.values()),
    from(subjects.filter((subject) => !seen.has(subject))).pipe(
      mapAtOnce(AT_ONCE, (subject) => link.lastOf(stream, subject)),
      filter((last) => last !== undefined),
    ),
  );

const summaryOf = (place: ThreadPlace, last: NatsStored): Observable<ThreadSummary> =>
  defer(() => {
    const id = idOf(last.subject);
    return id === undefined ? EMPTY : factsAt(place, id, last).pipe(map((known) => toSummary(place, id, known)));
  });

/** undefined for a subject that no daemon has made. */
const idOf = (subject: string): string | undefined => {
  try {
    return fromToken(lastToken(subject));
  } catch {
    return undefined;
  }
};

const toSummary = (place: ThreadPlace, id: string, { facts, writtenMs }: KnownFacts): ThreadSummary => ({
  ...facts,
  id,
  writtenMs,
  path: pathOf(place, { id, startedMs: facts.startedMs }),
});

/** Named as a rollout is, so that a client which knows threads by their paths finds its id there. */
const pathOf = ({ address }: Pick<ThreadPlace, 'address'>, thread: Pick<ThreadSummary, 'id' | 'startedMs'>): string =>
  `${address}/${toRolloutName(thread).name}`;

/** Emits the thread once; reads all threads only if `ref` is not the whole id of one. Errors with ThreadError if none or several match. */
export const findLog = (place: ThreadPlace, ref: string): Observable<ThreadSummary> => {
  const id = toUuid(ref).toLowerCase();
  const picked$ = listLog(place).pipe(map((all) => pickThread(ref, all)));
  if (!isUuid(id)) return picked$;
  return place.link.lastOf(place.stream, place.subjectOf(id)).pipe(
    switchMap((last) => (last === undefined ? EMPTY : factsAt(place, id, last))),
    map((known) => toSummary(place, id, known)),
    defaultIfEmpty(undefined),
    switchMap((found) => (found === undefined ? picked$ : of(found))),
  );
};

export type ChangeDeps = LeaseHere & {
  /** In ms since 1970. */
  now: () => number;
  /** Connects, and runs something at the place of threads. */
  within: <T>(use: (place: ThreadPlace) => Observable<T>) => Observable<T>;
};
type Act = (place: ThreadPlace, thread: ThreadSummary) => Observable<ThreadSummary>;

/** Each holds the lease of the thread that it changes; `fork` changes none. */
export const changeLogs = (deps: ChangeDeps): Pick<ThreadStore, 'fork' | 'archive' | 'restore' | 'remove'> => {
  const change = (act: Act) => (ref: string) =>
    deps.within((place) =>
      findLog(place, ref).pipe(
        switchMap(({ id }) => {
          const acting$ = findLog(place, id).pipe(switchMap((thread) => act(place, thread)));
          return withLease(leaseOf(deps, place, id))(acting$).pipe(last()); // once the lease is released
        }),
      ),
    );
  return {
    fork: (ref, id) =>
      deps.within((place) => findLog(place, ref).pipe(switchMap((from) => fork(deps, place, { from, id })))),
    archive: change((place, thread) => mark(deps, place, { ...thread, archived: true })),
    restore: change((place, thread) =>
      thread.archived
        ? mark(deps, place, { ...thread, archived: false })
        : throwError(() => new NotArchivedError(thread.id)),
    ),
    remove: change(({ link, stream, subjectOf }, thread) =>
      link.purge({ stream, subject: subjectOf(thread.id) }).pipe(map(() => thread)),
    ),
  };
};

const mark = (deps: ChangeDeps, place: ThreadPlace, thread: ThreadSummary): Observable<ThreadSummary> => {
  const { id, archived } = thread;
  return place.link.lastOf(place.stream, place.subjectOf(id)).pipe(
    switchMap((stored) => {
      if (stored === undefined) return EMPTY;
      return factsAt(place, id, stored).pipe(
        map(({ facts }): LogState => ({ seq: stored.seq, facts: { ...facts, archived }, head: '' })),
      );
    }),
    throwIfEmpty(() => new ThreadError(`The thread ${id} was removed`)),
    switchMap((state) => appendText({ ...deps, place, id }, state, '')),
    map(() => thread),
  );
};

const fork = (
  deps: ChangeDeps,
  place: ThreadPlace,
  { from, id }: { from: ThreadSummary; id: string },
): Observable<ThreadSummary> =>
  defer(() => {
    const startedMs = deps.now() - (deps.now() % 1_000);
    const facts = { ...from, startedMs, archived: false, size: 0, preview: '' };
    return readLines(place, from.id).pipe(
      forkLines({ id, startedMs, from }),
      mergeScan(
        (state: LogState, text: string) => appendText({ ...deps, place, id }, state, text),
        { seq: 0, facts, head: '' },
        1,
      ),
      last(),
      map(({ facts }) => toSummary(place, id, { facts, writtenMs: deps.now() })),
    );
  });
