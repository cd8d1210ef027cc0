/** Owns listening in on a stream: what passes is put on a tape, unchanged. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { Tape } from './tape';

/**
 * Passes each line and puts it on the tape. Ends and errors with the source.
 *   in   a--b-|
 *   tape a--b
 *   out  a--b-|
 */
export const record = (tape: Tape, dir: 'in' | 'out'): MonoTypeOperatorFunction<string> =>
  tap((line) => tape({ dir, line }));
