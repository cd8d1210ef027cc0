/** Owns cutting a stream of text into lines; what a line holds is none of its business. */
import { concat, concatMap, defer, type OperatorFunction } from 'rxjs';

/** Half of the longest string there can be in V8, so that a line can be joined whatever comes. */
const LONGEST = 2 ** 28;

/**
 * Text in pieces of any size becomes lines. LF and CRLF end a line; neither is part of it.
 * Emits each line once it is whole, empty ones too, all lines of one piece in one go; a last line without
 * its end when the source completes. A long line is joined once, so its cost is linear. Ends and errors with the source.
 * @param maxLength of a line in UTF-16 units; of a longer one only so much is kept and emitted. Default: 2^28, as a string has an end
 *   in  a-b\nc-|      (text: 'a', 'b\nc')
 *   out --x----(y|)   (x 'ab', y 'c')
 */
export const splitLines = ({ maxLength = LONGEST } = {}): OperatorFunction<string, string> => {
  const whole = (line: string) => withoutReturn(line.length > maxLength ? line.slice(0, maxLength) : line);
  return (text$) =>
    defer(() => {
      let rest: string[] = [];
      let length = 0;
      const hold = (text: string) => {
        if (length < maxLength) rest.push(text);
        length += text.length;
      };
      const cut = (text: string): string[] => {
        const lines = text.split('\n');
        const last = lines.pop() as string;
        if (lines.length === 0) {
          hold(last);
          return lines;
        }
        if (rest.length > 0) lines[0] = rest.join('') + lines[0];
        rest = [];
        length = 0;
        if (last !== '') hold(last);
        return lines.map(whole);
      };
      return concat(
        text$.pipe(concatMap(cut)),
        defer(() => {
          const last = rest.join('');
          return last === '' ? [] : [whole(last)];
        }),
      );
    });
};

const withoutReturn = (line: string): string => (line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line);
