/** Owns listening in on a stream: what passes is put on a tape, unchanged. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { INPUT_ENDED, type Tape } from './tape';

/**
 * Passes each line and puts it on the tape, behind the last of the client that its input ended. Ends and errors with
 * the source.
 *   in   a--b-|
 *   tape a--b-n    (n the note)
 *   out  a--b-|
 */
export const record = (tape: Tape, dir: 'in' | 'out'): MonoTypeOperatorFunction<string> =>
  tap({
    next: (line) => tape({ dir, line }),
    complete: () => dir === 'in' && tape({ dir: 'note', line: INPUT_ENDED }),
  });
