/** Owns cutting a stream of text into lines; what a line holds is none of its business. */
import { concat, concatMap, defer, type OperatorFunction } from 'rxjs';

/**
 * Text in pieces of any size becomes lines. LF and CRLF end a line; neither is part of it.
 * Emits each line once it is whole, empty ones too, all lines of one piece in one go; a last line without
 * its end when the source completes. A long line is joined once, so its cost is linear. Ends and errors with the source.
 *   in  a-b\nc-|      (text: 'a', 'b\nc')
 *   out --x----(y|)   (x 'ab', y 'c')
 */
export const splitLines = (): OperatorFunction<string, string> => (text$) =>
  defer(() => {
    let rest: string[] = [];
    const cut = (text: string): string[] => {
      const lines = text.split('\n');
      const last = lines.pop() as string;
      if (lines.length === 0) {
        rest.push(last);
        return lines;
      }
      if (rest.length > 0) lines[0] = rest.join('') + lines[0];
      rest = last === '' ? [] : [last];
      return lines.map(withoutReturn);
    };
    return concat(
      text$.pipe(concatMap(cut)),
      defer(() => {
        const last = rest.join('');
        return last === '' ? [] : [withoutReturn(last)];
      }),
    );
  });

const withoutReturn = (line: string): string => (line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line);
