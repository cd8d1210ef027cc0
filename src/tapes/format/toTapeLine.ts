/** Writes a tape's lines, with every member that was read. */

import { toBuffer } from '../../streams/bytes/toBuffer';
import type { RecordedLines, TapeItem } from './tape';

/** The line of an item without its newline; undefined for a warning, which has none. */
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
 * The bytes of a tape's lines, with their newlines. Each byte of the input is a character meanwhile, which needs no decoding: JSON leaves what is not
 * ASCII as it is.
 * @param t ms
 */
export const toTapeLines = (t: number, { dir, lines }: RecordedLines): Buffer => {
  const begin = `${JSON.stringify({ t, dir }).slice(0, -1)},"line":`;
  const texts = toBuffer(lines.subarray(0, -1)).toString('latin1').split('\n');
  return Buffer.from(texts.map((line) => `${begin}${JSON.stringify(line)}}\n`).join(''), 'latin1');
};
