/** Decodes lines that were recorded together. */
import type { RecordedLine, RecordedLines } from './tape';

/** Each line of its own, as text. @param most how many of them; default: all */
export const toTexts = (
  recorded: RecordedLine | RecordedLines,
  most = Number.POSITIVE_INFINITY,
): readonly RecordedLine[] => {
  if (!('lines' in recorded)) return [recorded];
  const { dir, lines } = recorded;
  return lines.slice(0, most).map((line) => ({ dir, line: Buffer.from(line, 'latin1').toString() }));
};
