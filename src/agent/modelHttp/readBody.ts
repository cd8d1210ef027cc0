/** The text of a body that is read as a whole. */
import {
  catchError,
  defaultIfEmpty,
  EMPTY,
  type MonoTypeOperatorFunction,
  scan,
  takeLast,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';

const LIMIT_MS = 10_000;

/**
 * Joins the pieces of a body. A body that is huge, late or broken is read as far as it came.
 * Emits one text and completes at the end of the body, after 10 s, or with the piece that reaches `maxChars`; never errors.
 *   body  a-b-x
 *   out   ----(c|)   ab
 */
export const readBody =
  (maxChars: number): MonoTypeOperatorFunction<string> =>
  (text$) =>
    text$.pipe(
      catchError(() => EMPTY),
      takeUntil(timer(LIMIT_MS)),
      scan((all, text) => all + text, ''),
      takeWhile((all) => all.length < maxChars, true),
      takeLast(1),
      defaultIfEmpty(''),
    );
