/** Threads that nobody has used for a while are released. */
import {
  concatMap,
  from,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  scan,
  switchMap,
  tap,
  timer,
  timestamp,
} from 'rxjs';
import { flatten, toTimerMs } from '../streams';
import type { OpenCalls } from './openCalls';

/** How long an unused thread stays in memory, and how many do, unless the operator says otherwise. */
export const UNUSED_THREADS = { afterMs: 30 * 60_000, most: 200 } as const;

/**
 * `afterMs`: how long a thread stays that has no call; `most`: how many such threads stay at all, the last used ones.
 * `clockMs` is ms since some moment; it never jumps, unlike the time of day. `release` frees what a thread holds.
 */
export type ReleaseDeps<K> = {
  afterMs: number;
  most: number;
  clockMs: () => number;
  release: (thread: K) => void;
};

/** A thread whose last call has ended; `isUnused` while it had no other since. */
export type Unused<K> = { thread: K; isUnused: () => boolean };

/**
 * Releases each thread when its time is over and it was not used since, and the longest unused one where there are too many.
 *   unused$  -a-b-----    (afterMs 5, most 2)
 *   release  ------a-b    (a, b, unless they are used again)
 */
export const releaseUnused =
  <K>({ afterMs, most, clockMs, release }: ReleaseDeps<K>, calls: Pick<OpenCalls<K>, 'unused' | 'forget'>) =>
  (unused$: Observable<Unused<K>>): Observable<never> =>
    unused$.pipe(
      timestamp({ now: clockMs }),
      scan<Timed<K>, Waiting<K>[]>(
        (waiting, { value, timestamp }) => [
          ...waiting.filter(({ thread, isUnused }) => thread !== value.thread && isUnused()),
          { ...value, dueMs: timestamp + toTimerMs(afterMs) },
        ],
        [],
      ),
      switchMap((waiting) => merge(of(oldest(calls, most)), from(waiting).pipe(concatMap(expired(clockMs))))),
      flatten(),
      tap((thread) => {
        calls.forget(thread);
        release(thread);
      }),
      ignoreElements(),
    );

type Timed<K> = { value: Unused<K>; timestamp: number };

/** In the order of their last call, so one timer is enough: a timer for each call would keep each until its time is over. */
type Waiting<K> = Unused<K> & { dueMs: number };

const expired =
  (clockMs: () => number) =>
  <K>({ thread, isUnused, dueMs }: Waiting<K>): Observable<K[]> =>
    timer(Math.max(0, dueMs - clockMs())).pipe(map(() => (isUnused() ? [thread] : [])));

const oldest = <K>({ unused }: Pick<OpenCalls<K>, 'unused'>, most: number): K[] => {
  const all = [...unused()]; // at most one more than may stay
  return all.slice(0, Math.max(0, all.length - most));
};
