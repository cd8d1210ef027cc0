/** Cuts the output of a command to what a model should read. */

const MAX_BYTES = 10_240;
const MAX_HEAD_BYTES = MAX_BYTES / 2;
const MAX_LINES = 256;

/**
 * Unchanged up to 10 KiB and 256 lines; else the first and the last 128 lines around a mark, each half cut
 * to its share of the bytes. Unlike the original the very end of the output always stays.
 * Source: Codex 0.28.0, CORE 6.4.
 */
export const shorten = (text: string): string => {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length <= MAX_LINES && Buffer.byteLength(text) <= MAX_BYTES) return text;
  const half = MAX_LINES / 2;
  const [first, last] = [lines.slice(0, half), lines.slice(Math.max(half, lines.length - half))];
  const isOneBlock = last.length === 0;
  const head = firstBytes(first.join('\n'), MAX_HEAD_BYTES);
  const mark = markOf(lines.length - first.length - last.length, lines.length);
  const left = MAX_BYTES - Buffer.byteLength(head) - Buffer.byteLength(mark);
  return head + mark + lastBytes(isOneBlock ? first.join('\n').slice(head.length) : last.join('\n'), left);
};

const markOf = (omitted: number, total: number): string =>
  omitted > 0
    ? `\n[... omitted ${omitted} of ${total} lines ...]\n\n`
    : '\n[... middle of the output left out ...]\n\n';

const isInsideCharacter = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** The start of a text, at most so many bytes, cut between characters. */
export const firstBytes = (text: string, max: number): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let end = max;
  while (isInsideCharacter(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
};

const lastBytes = (text: string, max: number): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let start = bytes.length - max;
  while (isInsideCharacter(bytes[start])) start++;
  return bytes.toString('utf8', start);
};
