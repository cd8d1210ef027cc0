/** Threads that nobody has used for a while are released. */
import {
  connect,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { OpenCalls } from './openCalls';

/**
 * `afterMs`: how long a thread stays that has no call; `most`: how many such threads stay at all, the last used ones.
 * `release` frees what a thread holds.
 */
export type ReleaseDeps<K> = { afterMs: number; most: number; release: (thread: K) => void };

/** A thread whose last call has ended; `isUnused` while it had no other since. */
export type Unused<K> = { thread: K; isUnused: () => boolean };

/**
 * Releases each thread when its time is over and it was not used since, and the longest unused one where there are too many.
 *   unused$  -a-b-----    (afterMs 5, most 2)
 *   release  ------a-b    (a, b, unless they are used again)
 */
export const releaseUnused =
  <K>({ afterMs, most, release }: ReleaseDeps<K>, calls: Pick<OpenCalls<K>, 'unused' | 'forget'>) =>
  (unused$: Observable<Unused<K>>): Observable<never> =>
    unused$.pipe(
      connect((shared$) =>
        shared$.pipe(
          mergeMap((unused) => {
            const again$ = shared$.pipe(filter(({ thread }) => thread === unused.thread)); // one timer per thread
            const expired$ = timer(afterMs).pipe(
              map(() => expired(unused)),
              takeUntil(again$),
            );
            return merge(of(oldest(calls, most)), expired$);
          }),
        ),
      ),
      mergeMap((threads) => threads),
      tap((thread) => {
        calls.forget(thread);
        release(thread);
      }),
      ignoreElements(),
    );

const expired = <K>({ thread, isUnused }: Unused<K>): K[] => (isUnused() ? [thread] : []);

const oldest = <K>({ unused }: Pick<OpenCalls<K>, 'unused'>, most: number): K[] => {
  const all = [...unused()]; // at most one more than may stay
  return all.slice(0, Math.max(0, all.length - most));
};
