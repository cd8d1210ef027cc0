/** Shortens the output of a command to what a model should read. */

/** How much of one output a model reads, in bytes. */
export const MAX_OUTPUT_BYTES = 10_240;
const MAX_LINES = 256;

/**
 * Unchanged up to `maxBytes` and 256 lines; otherwise the first and the last 128 lines around a mark, each half cut
 * to its share of the bytes. The mark counts the omitted lines, or the omitted bytes if the halves contain all lines.
 * Unlike in the original, the very end of the output always stays.
 * Source: Codex 0.28.0, CORE 6.4.
 */
export const shorten = (text: string, maxBytes = MAX_OUTPUT_BYTES): string => {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const bytes = Buffer.byteLength(text);
  if (lines.length <= MAX_LINES && bytes <= maxBytes) return text;
  const half = MAX_LINES / 2;
  const [first, last] = [lines.slice(0, half), lines.slice(Math.max(half, lines.length - half))];
  const isOneBlock = last.length === 0;
  const head = firstBytes(first.join('\n'), Math.floor(maxBytes / 2));
  const omitted = lines.length - first.length - last.length;
  const mark =
    omitted > 0
      ? markOf(omitted, lines.length, 'lines')
      : markOf(bytes - maxBytes + markOf(bytes, bytes, 'bytes').length, bytes, 'bytes');
  const left = maxBytes - Buffer.byteLength(head) - Buffer.byteLength(mark);
  return head + mark + lastBytes(isOneBlock ? first.join('\n').slice(head.length) : last.join('\n'), left);
};

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
