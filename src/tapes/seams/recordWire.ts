/** Records what a daemon and its client send each other. */
import { type MonoTypeOperatorFunction, pipe, tap } from 'rxjs';
import { record } from '../format/record';
import { OUTPUT_CLOSED, type Tape } from '../format/tape';

/** The server with a tap on both sides, when there is a tape. It notes where nobody reads the server's lines any more. */
export const recordWire =
  (tape: Tape | undefined) =>
  (server: MonoTypeOperatorFunction<string>): MonoTypeOperatorFunction<string> =>
    tape === undefined
      ? server
      : pipe(
          record(tape, 'in'),
          server,
          record(tape, 'out'),
          tap({ unsubscribe: () => tape({ dir: 'note', line: OUTPUT_CLOSED }) }),
        );
