/** Decodes lines that were recorded together. */
import type { RecordedLine, RecordedLines } from './tape';

/** Each line of its own, as text. @param most how many of them; default: all */
export const toTexts = (recorded: RecordedLine | RecordedLines, most?: number): readonly RecordedLine[] => {
  if (!('lines' in recorded)) return [recorded];
  const { dir, lines, count } = recorded;
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.length)
    .toString()
    .split('\n', most ?? count);
  return texts.map((line) => ({ dir, line }));
};
