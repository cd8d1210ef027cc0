/** Gives memory back to the system after a burst: V8 keeps the room that it took for young objects and garbage, and collects none while nothing runs. */
import {
  connect,
  exhaustMap,
  first,
  ignoreElements,
  last,
  map,
  mergeScan,
  type Observable,
  type OperatorFunction,
  of,
  pairwise,
  takeUntil,
  timer,
} from 'rxjs';

/**
 * @param heapBytes the room for objects and garbage; @param busyMs how long this process has been busy since its start
 * @param collect frees all that can be freed, emits once it has, and never errors
 */
export type MemoryPorts = { heapBytes: () => number; busyMs: () => number; collect: () => Observable<unknown> };

/** A process rests that was busy for less than this in such a time. */
const REST_MS = 150;
const MOST_BUSY_MS = 10;

/** Collecting takes tens of milliseconds, so it waits until there is much to gain: this much room, and half as much again as it left. */
const LEAST_BYTES = 40_000_000;
const GROWTH = 1.5;

/**
 * Collects when the process rests after activity, where its heap has grown. Emits nothing, completes with its source, errors with it.
 *   activity  a-a--------|
 *   busy      --1--3--3---    (looked at until two looks are alike)
 *   collect   --------c---
 */
export const releaseMemory = ({ heapBytes, busyMs, collect }: MemoryPorts): OperatorFunction<unknown, never> =>
  connect((activity$) =>
    activity$.pipe(
      exhaustMap(() => untilRest(busyMs)),
      mergeScan(
        (leftBytes) =>
          heapBytes() < Math.max(LEAST_BYTES, GROWTH * leftBytes) ? of(leftBytes) : collect().pipe(map(heapBytes)),
        0,
        1,
      ),
      ignoreElements(),
      takeUntil(activity$.pipe(last(null, null))),
    ),
  );

const untilRest = (busyMs: MemoryPorts['busyMs']): Observable<unknown> =>
  timer(0, REST_MS).pipe(
    map(busyMs),
    pairwise(),
    first(([before, now]) => now - before < MOST_BUSY_MS),
  );
