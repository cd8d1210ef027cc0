/** Records the traffic that is relayed between a client and a server. */
import { concat, connect, defer, filter, ignoreElements, map, merge, type Observable, takeWhile, tap } from 'rxjs';
import type { RelayEvent } from '../../io/processes/relayChild';
import { ofKind } from '../../streams/ofKind';
import { cutLines } from '../format/cutLines';
import { INPUT_ENDED, type LinesTape, type RecordedLine, type RecordedLines } from '../format/tape';

/** How a recorded server ended. */
export type Ending = Extract<RelayEvent, { kind: 'exited' | 'failed' }>;
type Passing = Exclude<RelayEvent, Ending>;

/**
 * Writes the lines of both sides to the tape, and notes when the client's input ended and how the server did.
 * Emits how the server ended; completes and errors with the source.
 *   in   ccc-e-x|    (c chunks, e the end of input, x exited)
 *   tape l-l-n-x
 *   out  ------x|
 */
export const recordSession =
  (tape: LinesTape) =>
  (event$: Observable<RelayEvent>): Observable<Ending> =>
    event$.pipe(
      connect((share$) =>
        merge(
          concat(
            share$.pipe(linesOf('in')),
            defer(() => [{ dir: 'note', line: INPUT_ENDED }]),
          ).pipe(tap(tape), ignoreElements()),
          share$.pipe(linesOf('out'), tap(tape), ignoreElements()),
          share$.pipe(linesOf('err'), tap(tape), ignoreElements()),
          share$.pipe(
            filter((event): event is Ending => event.kind === 'exited' || event.kind === 'failed'),
            tap((event) => tape(toNote(event))),
          ),
        ),
      ),
    );

/** Completes at the end of its own direction, so that a line that is cut off there is recorded in its place. */
const linesOf =
  (dir: Passing['dir']) =>
  (event$: Observable<RelayEvent>): Observable<RecordedLine | RecordedLines> =>
    event$.pipe(
      filter((event): event is Passing => 'dir' in event && event.dir === dir),
      takeWhile(({ kind }) => kind !== 'ended'),
      ofKind('chunk'),
      map(({ chunk }) => chunk),
      cutLines(),
      map((cut) => ({ dir, ...cut })),
    );

const toNote = (event: Ending): RecordedLine =>
  event.kind === 'exited'
    ? { dir: 'exit', line: JSON.stringify({ code: event.code, sig: event.signal }) }
    : { dir: 'note', line: `the server could not be started: ${event.reason}` };
