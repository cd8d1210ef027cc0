/** Writes a tape's lines for lines that came together. */
import { toBuffer } from '../streams';
import type { RecordedLines } from './tape';

/**
 * The bytes of a tape's lines, with their newlines. Each byte of the input is a character meanwhile, which needs no decoding: JSON leaves what is not
 * ASCII as it is.
 * @param t ms
 */
export const toTapeLines = (t: number, { dir, lines }: RecordedLines): Buffer => {
  const begin = `${JSON.stringify({ t, dir }).slice(0, -1)},"line":`;
  const texts = toBuffer(lines.subarray(0, -1)).toString('latin1').split('\n');
  return Buffer.from(texts.map((line) => `${begin}${JSON.stringify(line)}}\n`).join(''), 'latin1');
};
