/** The backpressure of two queues, one behind the other. */
import { filter, merge } from 'rxjs';
import type { Backpressure } from './backpressure';

/**
 * Full while either is full; drains when one of them does and the other is not full.
 *   first   -d--d-     (second is full until its drain)
 *   second  --d---
 *   out     --d-d-
 */
export const joinBackpressure = (first: Backpressure, second: Backpressure): Backpressure => ({
  isFull: () => first.isFull() || second.isFull(),
  drain$: merge(first.drain$.pipe(filter(() => !second.isFull())), second.drain$.pipe(filter(() => !first.isFull()))),
});
