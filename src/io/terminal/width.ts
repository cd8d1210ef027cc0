/** Fits text into columns of a terminal, in which a character takes two, one or none. */
import widthOf from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** The columns that a text takes. */
export { widthOf };

const graphemes = new Intl.Segmenter();

/** At most so many columns, with an ellipsis if something was cut off. */
export const cutTo = (text: string, columns: number): string => {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  for (const { segment } of graphemes.segment(text)) {
    if (widthOf(kept + segment) >= columns) break;
    kept += segment;
  }
  return columns > 0 ? `${kept}…` : '';
};

/** At least so many columns: filled with spaces. */
export const fillTo = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/** Exactly so many columns: filled with spaces, or cut. */
export const padTo = (text: string, columns: number): string => fillTo(cutTo(text, columns), columns);

/** Broken between words into lines of at most so many columns; a longer word is broken anywhere. */
export const wrapTo = (text: string, columns: number): string[] =>
  wrapAnsi(text, Math.max(2, columns), { hard: true }).split('\n');

/** Items one after another in lines of at most so many columns; a longer item has a line of its own. */
export const flowTo = (items: readonly string[], columns: number, between: string): string[] => {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = last === undefined ? item : `${last}${between}${item}`;
    if (last === undefined || widthOf(longer) > columns) lines.push(item);
    else lines[lines.length - 1] = longer;
  }
  return lines;
};
