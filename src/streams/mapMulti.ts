/** Emits none, one or many values for each item, without an intermediate array or Observable. */
import type { OperatorFunction } from 'rxjs';
import { gather } from './gather';

/**
 * Calls `project` with each item; what it passes to `emit` is emitted at once and in order. Completes and errors with the source;
 * errors with what `project` throws.
 *   in  a---b-c--|     (a emits x and y, b nothing, c z)
 *   out (xy)--z--|
 */
export const mapMulti = <T, R>(project: (item: T, emit: (value: R) => void) => void): OperatorFunction<T, R> =>
  gather(() => ({ next: project }));
