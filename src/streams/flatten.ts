/** Emits the members of arrays one by one. */
import { identity, type OperatorFunction } from 'rxjs';
import { mapMany } from './mapMany';

/**
 * Each array becomes its members, at once and in order. Completes and errors with the source.
 *   in  a---b-|     (a [1,2], b [])
 *   out (12)--|
 */
export const flatten = <T>(): OperatorFunction<readonly T[], T> => mapMany(identity);
