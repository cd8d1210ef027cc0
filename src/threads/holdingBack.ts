/** Keeps texts for a file that cannot take them, as on a full disk. */
import type { Appender } from '../io/files/appendFile';

/**
 * A file that is opened by the next text after its beginning and after each `close`. What it could not take, it gets with the text that follows:
 * `append` throws until then. `owes`: how many characters that is; `giveUpAbove` forgets them where they are more, and tells
 * whether they were.
 */
export const holdingBack = (open: () => Appender) => {
  let file: Appender | undefined;
  let owed = '';
  return {
    append: (text: string) => {
      owed += text;
      file ??= open();
      file.append(owed);
      owed = '';
    },
    owes: () => owed.length,
    giveUpAbove: (maxChars: number) => {
      const isTooMuch = owed.length > maxChars;
      if (isTooMuch) owed = '';
      return isTooMuch;
    },
    sync: (failed: (error: Error) => void) => file?.sync(failed),
    close: () => {
      file?.close();
      file = undefined;
    },
    isOpen: () => file !== undefined,
  };
};
