/** Cuts a stream of text into lines. */
import { defer, endWith, type OperatorFunction } from 'rxjs';
import { mapMulti } from '../gather';

/** Half of the longest possible string in V8, so that every line can be joined; in UTF-16 units. */
export const LONGEST_LINE = 2 ** 28;

/**
 * Text in pieces of any size becomes lines. LF and CRLF end a line; neither is part of it.
 * Emits each line once it is whole, empty ones too, all lines of one piece together; when the source completes, a last line
 * without its end. A long line is joined once, so its cost is linear. Completes and errors with the source.
 * @param maxLength of a line in UTF-16 units; the rest of a longer line is dropped. Default: 2^28, because strings have a limit
 * @param endLength how many UTF-16 units of a longer line's end are kept; its middle is then dropped. Default: none
 *   in  a-b\nc-|      (text: 'a', 'b\nc')
 *   out --x----(y|)   (x 'ab', y 'c')
 */
export const splitLines =
  ({ maxLength = LONGEST_LINE, endLength = 0 } = {}): OperatorFunction<string, string> =>
  (text$) =>
    defer(() => {
      const { cut, end } = lineCutter(maxLength, endLength);
      return text$.pipe(
        endWith(END),
        mapMulti<string | typeof END, string>((text, emit) => (text === END ? end(emit) : cut(text, emit))),
      );
    });

const END = Symbol('the end of the text');

/** `cut` emits the lines that a piece completes, `end` the last line, if it has any text. Both change the pieces of the open line. */
const lineCutter = (maxLength: number, endLength: number) => {
  let open: string[] = []; // the pieces of the line whose end has not come
  let length = 0; // of the open line, with what was dropped
  let dropped = ''; // the end of what came after them
  const toLine = (line: string) => withoutReturn(line.length > maxLength ? withoutMiddle(line) : line);
  const withoutMiddle = (line: string) => line.slice(0, maxLength - endLength) + line.slice(line.length - endLength);
  const keep = (text: string) => {
    if (length > maxLength) dropped = endLength === 0 ? '' : (dropped + text).slice(-endLength);
    else open.push(text);
    length += text.length;
  };
  const whole = (last: string) => [...open, dropped, last].join(''); // one copy
  const cut = (text: string, emit: (line: string) => void) => {
    const lines = text.split('\n');
    const last = lines.pop() as string;
    if (lines.length > 0) {
      if (open.length > 0) lines[0] = whole(lines[0] as string);
      [open, length, dropped] = [[], 0, ''];
    }
    if (last !== '') keep(last);
    for (const line of lines) emit(toLine(line));
  };
  const end = (emit: (line: string) => void) => {
    if (open.length > 0) emit(toLine(whole('')));
  };
  return { cut, end };
};

const withoutReturn = (line: string): string => (line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line);
