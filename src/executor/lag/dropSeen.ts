/** Drops events whose sequence number was seen before. */
import type { MonoTypeOperatorFunction } from 'rxjs';
import { mapAccum } from '../../streams/mapAccum';

/**
 * Passes what has a greater `seq` than all before it.
 *   in  1-2-2-1-3-|
 *   out 1-2-----3-|
 */
export const dropSeen = <T extends { seq: number }>(): MonoTypeOperatorFunction<T> =>
  mapAccum((seq, item) => (item.seq > seq ? { state: item.seq, output: item } : { state: seq }), 0);
