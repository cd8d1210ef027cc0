/** Shortens the output of a command to what a model should read. */

/** How much of one output a model reads, in bytes. */
export const MAX_OUTPUT_BYTES = 10_240;
const MAX_LINES = 256;
const HALF = MAX_LINES / 2;

/**
 * Unchanged up to `maxBytes` and 256 lines; otherwise the first and the last 128 lines around a mark, each half cut
 * to its share of the bytes. The mark counts the omitted lines, or the omitted bytes if the halves contain all lines.
 * Unlike in the original, the very end of the output always stays.
 * Source: Codex 0.28.0, CORE 6.4.
 */
export const shorten = (text: string, maxBytes = MAX_OUTPUT_BYTES): string => {
  const bytes = Buffer.byteLength(text);
  const total = countLines(text);
  if (total <= MAX_LINES && bytes <= maxBytes) return text;
  const lines = endsOf(text, 2 * maxBytes + 2).split(/\r?\n/); // a character may have two units, or a CR before it
  if (lines.at(-1) === '') lines.pop();
  const first = lines.slice(0, HALF).join('\n');
  const head = firstBytes(first, Math.floor(maxBytes / 2));
  const mark =
    total > MAX_LINES
      ? markOf(total - MAX_LINES, total, 'lines')
      : markOf(bytes - maxBytes + markOf(bytes, bytes, 'bytes').length, bytes, 'bytes');
  const left = maxBytes - Buffer.byteLength(head) - Buffer.byteLength(mark);
  const last = total <= HALF ? first.slice(head.length) : lines.slice(-Math.min(HALF, total - HALF)).join('\n');
  return [head, mark, lastBytes(last, left)].join(''); // one flat text, now: V8 would join the parts at their first use
};

/** A last line may have no line end. */
const countLines = (text: string): number => {
  let count = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** The beginning and the end of a long text, which are all that is kept of it. */
const endsOf = (text: string, length: number): string =>
  text.length <= 2 * length ? text : text.slice(0, length) + text.slice(-length);

const markOf = (omitted: number, total: number, unit: 'lines' | 'bytes'): string =>
  `\n[... omitted ${omitted} of ${total} ${unit} ...]\n\n`;

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The start of a text, at most `max` bytes, cut between characters. A character has at least one byte: the rest of a long text is not encoded. */
export const firstBytes = (text: string, max: number): string => {
  const bytes = Buffer.from(text.slice(0, max + 1));
  if (bytes.length <= max) return text;
  let end = max;
  while (isInsideCharacter(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
};

const lastBytes = (text: string, max: number): string => {
  const bytes = Buffer.from(text.slice(-max - 1));
  if (bytes.length <= max) return text;
  let start = bytes.length - max;
  while (isInsideCharacter(bytes[start])) start++;
  return bytes.toString('utf8', start);
};
