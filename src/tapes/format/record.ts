/** Records the lines that pass in one direction. */
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { INPUT_ENDED, type Tape } from './tape';

/**
 * Passes each line and writes it to the tape, and each line of several that leave together; when the client's lines end, the tape notes
 * it. Completes and errors with the source.
 *   in   a--b-|
 *   tape a--b-n    (n the note)
 *   out  a--b-|
 */
export const record = (tape: Tape, dir: 'in' | 'out'): MonoTypeOperatorFunction<string> =>
  tap({
    next: (lines) => {
      for (const line of lines.split('\n')) tape({ dir, line });
    },
    complete: () => dir === 'in' && tape({ dir: 'note', line: INPUT_ENDED }),
  });
