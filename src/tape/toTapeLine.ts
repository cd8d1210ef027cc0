/** Writes a tape's lines, with every member that was read. */
import type { RecordedLines, TapeItem } from './tape';

/** The line of an item without its newline; undefined for what has none. */
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

/** The lines of a tape for lines that came together, with their newlines and with bytes as characters (latin1): JSON escapes none beyond ASCII. */
export const toTapeLines = (t: number, { dir, lines }: RecordedLines): string => {
  const head = `${JSON.stringify({ t, dir }).slice(0, -1)},"line":`;
  let text = '';
  for (const line of lines) text += `${head}${JSON.stringify(line)}}\n`;
  return text;
};
