/** Work for the silence between the opening of a client and its first call. */
import {
  concat,
  ignoreElements,
  last,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import { toBuffer } from '../streams';

/** Time that a client leaves unused after its opening, as a person takes longer. */
const SILENCE_MS = 60;

/** A client that has sent so many inputs, or so many bytes at once, has begun its work; where it does not read, input is paused, and only looks silent. */
const MOST_INPUTS = 8;
const MOST_BYTES = 32_768;

/**
 * Subscribes to the work once the source has been silent for 60 ms; input stops it at once, and it begins anew in the next silence. It is
 * done when it completes, and never begins behind a call or much input. Emits nothing; completes when there is no more to do.
 *   in    a-b-------c------t--    (t a call)
 *   work  ------w---!   w--!
 */
export const inSilence =
  (work$: Observable<never>): OperatorFunction<Uint8Array, never> =>
  (byte$) =>
    byte$.pipe(
      switchMap((bytes, index) =>
        index >= MOST_INPUTS || bytes.length > MOST_BYTES || isCall(bytes)
          ? of('over')
          : concat(timer(SILENCE_MS).pipe(ignoreElements()), work$, of('over')),
      ),
      take(1),
      takeUntil(byte$.pipe(last(null, null))),
      ignoreElements(),
    );

const isCall = (bytes: Uint8Array): boolean => toBuffer(bytes).includes('"tools/call"');
