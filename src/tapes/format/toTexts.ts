/** Decodes lines that were recorded together. */
import { toBuffer } from '../../streams/bytes/toBuffer';
import type { RecordedLine, RecordedLines } from './tape';

/** Each line on its own, as text. @param most how many of them; default: all */
export const toTexts = (recorded: RecordedLine | RecordedLines, most?: number): readonly RecordedLine[] => {
  if (!('lines' in recorded)) return [recorded];
  const { dir, lines, count } = recorded;
  const texts = toBuffer(lines)
    .toString()
    .split('\n', most ?? count);
  return texts.map((line) => ({ dir, line }));
};
