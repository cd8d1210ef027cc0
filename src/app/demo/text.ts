/** Owns making any text safe and short enough for one line of a terminal. */

/** One line without control characters: a line break shows as ⏎, others as �. */
export const plain = (text: string): string =>
  text
    .trimEnd()
    .replaceAll(/\r?\n/g, ' ⏎ ')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd');

/** A text in quotes, in one line. */
export const quoted = (text: unknown): string => `"${plain(String(text ?? ''))}"`;

/** Cut to so many characters, with an ellipsis where something is gone. */
export const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);

/** Broken between words into lines of at most `max` characters; a longer word is broken anywhere. */
export const wrap = (text: string, max: number): string[] =>
  text
    .split(' ')
    .flatMap((word) => word.match(new RegExp(`.{1,${max}}`, 'gu')) ?? [''])
    .reduce<string[]>((lines, word) => {
      const line = lines.at(-1);
      if (line === undefined || line.length + 1 + word.length > max) lines.push(word);
      else lines[lines.length - 1] = `${line} ${word}`;
      return lines;
    }, []);
