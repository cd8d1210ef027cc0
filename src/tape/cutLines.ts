/** Cuts bytes into the lines of a tape without losing any: line ends and bytes that are not UTF-8 are kept. */
import { concat, concatMap, defer, map, type OperatorFunction } from 'rxjs';
import { byFraming, cutFrames } from '../streams';
import type { Entry } from './tape';

/** A line as a tape keeps it. */
export type CutLine = Pick<Entry, 'line' | 'end' | 'bytes' | 'head'>;

const LF = 10;
const CR = 13;

/**
 * Cuts chunks of any size into lines. CRLF and a last line without a line end are marked as such. Messages whose headers name their length are
 * lines with a `head`.
 * Emits each line once it is whole. Completes and errors with the source. `toBytes` turns the output into the input again.
 *   in  a-b\nc-|      (bytes: 'a', 'b\nc')
 *   out --x----(y|)   (x 'ab', y 'c' with end '')
 */
export const cutLines = (): OperatorFunction<Uint8Array, CutLine> =>
  byFraming({
    lines: cutAtLineEnds,
    contentLength: (chunk$) =>
      chunk$.pipe(
        cutFrames(),
        map(({ head, body }) => ({ ...(head !== '' && { head }), ...toLine(body) })),
      ),
  });

const cutAtLineEnds: OperatorFunction<Uint8Array, CutLine> = (chunk$) =>
  defer(() => {
    let rest: Uint8Array[] = [];
    const cut = (chunk: Uint8Array): CutLine[] => {
      const lines: CutLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        lines.push(toLine(joined(rest, chunk.subarray(from, at + 1))));
        rest = [];
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
      return lines;
    };
    return concat(
      chunk$.pipe(concatMap(cut)),
      defer(() => (rest.length === 0 ? [] : [toLine(Buffer.concat(rest))])),
    );
  });

const joined = (parts: readonly Uint8Array[], last: Uint8Array): Uint8Array =>
  parts.length === 0 ? last : Buffer.concat([...parts, last]);

const toLine = (whole: Uint8Array): CutLine => {
  const end = endOf(whole);
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.length - end.length);
  const line = bytes.toString('utf8');
  return {
    line,
    ...(end !== '\n' && { end }),
    ...(line.includes('\ufffd') && !Buffer.from(line).equals(bytes) && { bytes: bytes.toString('base64') }),
  };
};

const endOf = (whole: Uint8Array): string => {
  if (whole.at(-1) !== LF) return '';
  return whole.at(-2) === CR ? '\r\n' : '\n';
};

/** The bytes that a line was cut from. */
export const toBytes = ({ head = '', line, end = '\n', bytes }: CutLine): Uint8Array => {
  const body = bytes === undefined ? Buffer.from(line) : Buffer.from(bytes, 'base64');
  return Buffer.concat([Buffer.from(head, 'latin1'), body, Buffer.from(end)]);
};
