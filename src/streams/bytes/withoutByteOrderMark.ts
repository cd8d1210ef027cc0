/** Text as Windows editors and shells write it: with a byte order mark, which is not part of the text. */
import { type MonoTypeOperatorFunction, map } from 'rxjs';

/**
 * Removes a byte order mark at the very beginning. Completes and errors with the source.
 *   in   B-a-B-|   (B begins with a byte order mark)
 *   out  b-a-B-|
 */
export const withoutByteOrderMark = (): MonoTypeOperatorFunction<string> => (text$) =>
  text$.pipe(map((text, i) => (i === 0 && text.startsWith('\ufeff') ? text.slice(1) : text)));
