/** Emits the members of arrays one by one; `concatMap` would subscribe to an Observable for each array. */
import type { OperatorFunction } from 'rxjs';
import { mapMulti } from './mapMulti';

/**
 * Each array becomes its members, at once and in order. Completes and errors with the source.
 *   in  a---b-|     (a [1,2], b [])
 *   out (12)--|
 */
export const flatten = <T>(): OperatorFunction<readonly T[], T> =>
  mapMulti((items, emit) => {
    for (const item of items) emit(item);
  });
