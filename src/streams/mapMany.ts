/** Emits the members of a list for each item; `concatMap` would subscribe to an Observable for each of them. */
import type { OperatorFunction } from 'rxjs';
import { mapMulti } from './mapMulti';

/**
 * Each item becomes the members of the list that `project` makes from it, at once and in order. Completes and errors with the source; errors with
 * what `project` throws.
 *   in  a---b-|     (a gives [1,2], b [])
 *   out (12)--|
 */
export const mapMany = <T, R>(project: (item: T) => readonly R[]): OperatorFunction<T, R> =>
  mapMulti((item, emit) => {
    for (const one of project(item)) emit(one);
  });
