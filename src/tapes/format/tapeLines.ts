/** Lines of a tape: written with every member that was read, decoded, and framed by their length. */
import type { Framing } from '../../streams/bytes/splitMessages';
import { toBuffer } from '../../streams/bytes/toBuffer';
import type { NumberedEntry, RecordedLine, RecordedLines, TapeItem } from './tape';

/** The line of an item without its newline; undefined for a warning, which has no line. */
export const toTapeLine = (item: TapeItem): string | undefined => {
  switch (item.kind) {
    case 'meta':
      return JSON.stringify({ meta: item.meta });
    case 'entry':
      return JSON.stringify(item.entry);
    case 'bad':
      return item.text;
    case 'warning':
      return undefined;
  }
};

/**
 * The bytes of a tape's lines, with their newlines. Each byte of the input is treated as one character, which needs no decoding: JSON does not change
 * what is not ASCII.
 * @param t ms
 */
export const toTapeLines = (t: number, { dir, lines }: RecordedLines): Buffer => {
  const begin = `${JSON.stringify({ t, dir }).slice(0, -1)},"line":`;
  const texts = toBuffer(lines.subarray(0, -1)).toString('latin1').split('\n');
  return Buffer.from(texts.map((line) => `${begin}${JSON.stringify(line)}}\n`).join(''), 'latin1');
};

/**
 * Each line on its own, as text.
 * @param most how many lines; default all
 */
export const toTexts = (recorded: RecordedLine | RecordedLines, most?: number): readonly RecordedLine[] => {
  if (!('lines' in recorded)) return [recorded];
  const { dir, lines, count } = recorded;
  const texts = toBuffer(lines)
    .toString()
    .split('\n', most ?? count);
  return texts.map((line) => ({ dir, line }));
};

/** The line with its present length in its headers; unchanged if it has no headers. */
export const withLength = <T extends RecordedLine>(recorded: T): T => {
  const { head, line, end = '\n', bytes } = recorded;
  if (head === undefined || bytes !== undefined) return recorded;
  const length = Buffer.byteLength(line + end);
  return { ...recorded, head: head.replace(/(content-length: *)\d+/i, `$1${length}`) };
};

/** A message as this program sends it: a line, or with its length in a header. */
export const toRecorded = (dir: 'in' | 'out', line: string, framing: Framing): RecordedLine =>
  framing === 'lines' ? { dir, line } : withLength({ dir, line, head: 'Content-Length: 0\r\n\r\n', end: '' });

/** How the messages of a session were framed. */
export const framingOf = ({ entries }: { entries: readonly Pick<NumberedEntry, 'entry'>[] }): Framing =>
  entries.some(({ entry }) => entry.head !== undefined) ? 'contentLength' : 'lines';
