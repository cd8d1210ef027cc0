/** Gives memory back to the system after a burst: V8 keeps the memory of young objects and garbage, and does not collect while nothing runs. */
import {
  connect,
  exhaustMap,
  first,
  ignoreElements,
  last,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeScan,
  type Observable,
  of,
  pairwise,
  takeUntil,
  timer,
} from 'rxjs';

/**
 * @param heapBytes the size of the heap, garbage included; @param busyMs how long this process has been busy since its start
 * @param collect frees all that can be freed, emits once it has, and never errors
 */
export type MemoryPorts = { heapBytes: () => number; busyMs: () => number; collect: () => Observable<unknown> };

/** A process is at rest when it was busy for less than MOST_BUSY_MS within REST_MS. */
const REST_MS = 150;
const MOST_BUSY_MS = 10;

/** Once for what the start leaves behind: half of what a process at rest has beyond a bare one. */
const FIRST_BYTES = 10_000_000;

/** Collecting takes tens of milliseconds. So later ones wait until the heap has this size, and GROWTH times the size that the last one left. */
const LEAST_BYTES = 40_000_000;
const GROWTH = 1.5;

/**
 * Passes all on, and collects when the process rests after it, where its heap has grown.
 *   in       a-b--------|
 *   out      a-b--------|
 *   busy     1--3--3-----    (looked at until two looks are alike)
 *   collect  ------c-----
 */
export const releaseMemory = <T>(ports: MemoryPorts): MonoTypeOperatorFunction<T> =>
  connect((item$) => merge(item$, collected(ports, item$)));

const collected = ({ heapBytes, busyMs, collect }: MemoryPorts, item$: Observable<unknown>): Observable<never> =>
  item$.pipe(
    exhaustMap(() => untilRest(busyMs)),
    mergeScan(
      (limit) =>
        heapBytes() < limit ? of(limit) : collect().pipe(map(() => Math.max(LEAST_BYTES, GROWTH * heapBytes()))),
      FIRST_BYTES,
      1,
    ),
    ignoreElements(),
    takeUntil(item$.pipe(last(null, null))),
  );

const untilRest = (busyMs: MemoryPorts['busyMs']): Observable<unknown> =>
  timer(0, REST_MS).pipe(
    map(busyMs),
    pairwise(),
    first(([before, now]) => now - before < MOST_BUSY_MS),
  );
