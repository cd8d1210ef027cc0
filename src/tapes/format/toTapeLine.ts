/** Writes a tape's lines, with every member that was read. */
import type { TapeItem } from './tape';

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
