/** Joins the pieces of a body, which a server may never end. */
import { type OperatorFunction, reduce } from 'rxjs';

/** The longest text that is kept, in UTF-16 units: longer than any message, and much shorter than the longest possible string. */
export const MAX_CHARS = 67_108_864;

/**
 * Emits all pieces as one text when the source completes; what comes after `maxChars` is dropped. Errors with the source.
 *   in   -a-b-|       (a 'x', b 'y')
 *   out  -----(T|)    (T 'xy')
 */
export const joinText = (maxChars = MAX_CHARS): OperatorFunction<string, string> =>
  reduce((all, piece) => (all.length >= maxChars ? all : (all + piece).slice(0, maxChars)), '');
