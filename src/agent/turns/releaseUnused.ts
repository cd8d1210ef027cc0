/** Threads that nobody has used for a while are released. */
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
import type { ThreadUse } from './threadUse';

/** How long an unused thread stays in memory, and how many do, unless the operator says otherwise. */
export const UNUSED_THREADS = { afterMs: 30 * 60_000, most: 200 } as const;

/**
 * `afterMs`: how long a thread stays that has no call; `most`: how many such threads stay at all, the last used ones.
 * `clockMs` is ms since some moment; it never jumps, unlike the time of day. `after` emits when so many ms are over. `release` frees what a thread holds.
 */
export type ReleaseDeps<K> = {
  afterMs: number;
  most: number;
  clockMs: () => number;
  after?: (ms: number) => Observable<unknown>;
  release: (thread: K) => void;
};

/** A thread whose last call has ended; `isUnused` while it had no other since. */
export type Unused<K> = { thread: K; isUnused: () => boolean };

/**
 * Releases each thread when its time is over and it was not used since, and the longest unused one where there are too many.
 *   unused$  -a-b-----    (afterMs 5, most 2)
 *   release  ------a-b    (a, b, unless they are used again)
 * One timer waits for the thread that was due first when it was set; what has been used meanwhile waits on.
 */
export const releaseUnused =
  <K>(deps: ReleaseDeps<K>, calls: Pick<ThreadUse<K>, 'unused' | 'forget'>) =>
  (unused$: Observable<Unused<K>>): Observable<never> =>
    defer(() => {
      const { afterMs, most, clockMs, after = timer, release } = deps;
      const waiting = new Map<K, Waiting>(); // in the order of their last call, so the first is due first; changed in place, as ThreadUse
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
