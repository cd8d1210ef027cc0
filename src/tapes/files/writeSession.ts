/** Writes the lines of a session to a tape that takes time to open, such as a tape on NATS. */
import {
  concat,
  concatMap,
  defer,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  shareReplay,
  take,
  takeWhile,
  tap,
} from 'rxjs';
import { closedBy } from '../../streams/ends';
import type { RecordedLine } from '../format/tape';
import type { CountedTape } from './countedTape';

/**
 * Opens the tape at once. Lines that come before that wait for it. Completes when the source has completed and the tape is closed, and
 * unsubscribes from `tape$` only then. Errors with either, and emits nothing.
 *   tape$   ---t------
 *   source  a-b--c-|
 *   tape       (ab)
 *              --c
 *   close          --|
 *   out     ---------|
 */
export const writeSession =
  (tape$: Observable<CountedTape>): OperatorFunction<RecordedLine, never> =>
  (line$) =>
    defer(() => {
      const open$ = tape$.pipe(shareReplay({ bufferSize: 1, refCount: true }));
      const written$ = line$.pipe(
        concatMap((line) =>
          open$.pipe(
            take(1),
            tap(({ tape }) => tape(line)),
            ignoreElements(),
          ),
        ),
        closedBy(() =>
          open$.pipe(
            take(1),
            concatMap(({ close }) => close()),
          ),
        ),
      );
      return merge(open$.pipe(map(() => 'open')), concat(written$, of('closed')));
    }).pipe(
      takeWhile((state) => state !== 'closed'),
      ignoreElements(),
    );
