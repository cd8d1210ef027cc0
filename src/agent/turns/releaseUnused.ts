/** Releases threads that nobody has used for a while. */
import {
  connect,
  defer,
  EMPTY,
  exhaustMap,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  tap,
  timer,
} from 'rxjs';
import { flatten } from '../../streams/gather';
import { toTimerMs } from '../../streams/time/wait';

/** How long an unused thread stays in memory, and how many do, unless the operator says otherwise. */
export const UNUSED_THREADS = { afterMs: 30 * 60_000, most: 200 } as const;

export type ReleaseDeps<K> = {
  /** How long a thread without a call stays. */
  afterMs: number;
  /** How many such threads stay at all: the last used ones. */
  most: number;
  /** Time in ms, without jumps. */
  clockMs: () => number;
  /** Emits after so many ms; a timer by default. */
  after?: (ms: number) => Observable<unknown>;
  /** Frees what a thread holds. */
  release: (thread: K) => void;
};

/** A thread whose last call has ended. */
export type Unused<K> = {
  thread: K;
  /** True while the thread has had no call since. */
  isUnused: () => boolean;
};

/**
 * Releases each thread when its time is over and it was not used since. If there are too many, the longest unused thread is released.
 *   unused$  -a-b-----    (afterMs 5, most 2)
 *   release  ------a-b    (a, b, unless they are used again)
 * One timer waits for the thread that was due first when it was set; threads that were used meanwhile stay.
 */
export const releaseUnused =
  <K>(deps: ReleaseDeps<K>, calls: Pick<ThreadUse<K>, 'unused' | 'forget'>) =>
  (unused$: Observable<Unused<K>>): Observable<never> =>
    defer(() => {
      const { afterMs, most, clockMs, after = timer, release } = deps;
      const waiting = new Map<K, Waiting>(); // by their last call, so the first is due first; changed in place, as ThreadUse
      const expired$ = defer(() => after(Math.max(0, (firstOf(waiting)?.dueMs ?? 0) - clockMs()))).pipe(
        map(() => {
          const nowMs = clockMs();
          const over = [...waiting].filter(([, { dueMs }]) => dueMs <= nowMs);
          for (const [thread] of over) waiting.delete(thread);
          return over.filter(([, { isUnused }]) => isUnused()).map(([thread]) => thread);
        }),
        repeat({ delay: () => (waiting.size === 0 ? EMPTY : of(true)) }),
      );
      return unused$.pipe(
        map(({ thread, isUnused }) => {
          waiting.delete(thread);
          waiting.set(thread, { isUnused, dueMs: clockMs() + toTimerMs(afterMs) });
          return oldest(calls, most);
        }),
        connect((oldest$) => merge(oldest$, oldest$.pipe(exhaustMap(() => expired$)))),
        flatten(),
        tap((thread) => {
          waiting.delete(thread);
          calls.forget(thread);
          release(thread);
        }),
        ignoreElements(),
      );
    });

type Waiting = Pick<Unused<unknown>, 'isUnused'> & { dueMs: number };

const firstOf = <T>(waiting: ReadonlyMap<unknown, T>): T | undefined => waiting.values().next().value;

const oldest = <K>({ unused }: Pick<ThreadUse<K>, 'unused'>, most: number): K[] => {
  const all = [...unused()]; // at most one more than may stay
  return all.slice(0, Math.max(0, all.length - most));
};

/** Which calls a connection has open, and which of its threads have none. */
export type ThreadUse<K> = {
  /** A call on a thread begins. */
  begin: (callId: string, thread: K) => void;
  /** The thread of an open call. */
  threadOf: (callId: string) => K | undefined;
  /** A call is over. Returns its thread if that has no open call now. */
  end: (callId: string) => Unused<K> | undefined;
  /** The threads without a call, the longest unused first. */
  unused: () => Iterable<K>;
  /** The thread is no longer counted. */
  forget: (thread: K) => void;
};

/** No call is open. Changed in place: a connection may have tens of thousands of threads, and a call must not cost more for it. */
export const threadUse = <K>(): ThreadUse<K> => {
  const threads = new Map<string, K>();
  const counts = new Map<K, number>();
  const unused = new Map<K, object>(); // in the order in which their last call ended
  return {
    begin: (callId, thread) => {
      threads.set(callId, thread);
      counts.set(thread, (counts.get(thread) ?? 0) + 1);
      unused.delete(thread);
    },
    threadOf: (callId) => threads.get(callId),
    end: (callId) => {
      const thread = threads.get(callId);
      if (thread === undefined || !threads.delete(callId)) return undefined;
      const left = (counts.get(thread) ?? 1) - 1;
      if (left > 0) {
        counts.set(thread, left);
        return undefined;
      }
      counts.delete(thread);
      const since = {};
      unused.set(thread, since);
      return { thread, isUnused: () => unused.get(thread) === since };
    },
    unused: () => unused.keys(),
    forget: (thread) => void unused.delete(thread),
  };
};
