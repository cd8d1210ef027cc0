/** Draws rows of characters from columns that stand beside each other. */

/**
 * One column. `texts` holds the text of each row that has one, by row number; all other rows are filled to the same width with
 * `fills` of that row, by default `-`.
 */
export type Column = { texts: ReadonlyMap<number, string>; fills?: ReadonlyMap<number, string> };

/** The number of characters that a column takes. */
export const widthOfColumn = ({ texts }: Column): number => Math.max(0, ...[...texts.values()].map(lengthOf));

/** A column with one text on every row, such as a pause. */
export const acrossRows = (text: string, rowCount: number): Column => ({
  texts: new Map(Array.from({ length: rowCount }, (_, row) => [row, text])),
});

/**
 * The text of each row; all have the same length.
 *   columns  {0: 'a'} {1: 'b', fills {0: '='}} {0: ' 5s ', 1: ' 5s '}
 *   rows     a= 5s
 *            -b 5s
 */
export const drawColumns = (columns: readonly Column[], rowCount: number): string[] => {
  const widths = columns.map(widthOfColumn);
  return Array.from({ length: rowCount }, (_, row) =>
    columns
      .map(({ texts, fills }, i) => {
        const text = texts.get(row) ?? '';
        return text + (fills?.get(row) ?? '-').repeat((widths[i] ?? 0) - lengthOf(text));
      })
      .join(''),
  );
};

const lengthOf = (text: string): number => [...text].length;
