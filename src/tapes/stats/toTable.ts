/** Rows of cells as lines of a terminal. Own code: libraries of tables cut any column; here numbers are never cut, and the caller knows where none fit. */
import { toVisible } from '../../io/log/toVisible';
import { cutTo, padTo, widthOf } from '../../io/terminal/width';

/** A row; numbers are aligned right, null is shown as `-`. */
export type Row = readonly (string | number | null)[];

/** A column of names is never cut to fewer columns than this. */
const MIN_NAME = 12;

/**
 * Rows with aligned columns. Where they are wider than `width`, the names in the column `named` are cut; undefined where the numbers do not fit even
 * then.
 */
export const toTable = (rows: readonly Row[], named: number, width: number): string[] | undefined => {
  const texts = rows.map((row) => row.map((cell) => (cell === null ? '-' : toVisible(String(cell)))));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => widthOf(row[i] ?? ''))));
  const beyond = widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1)) - width;
  const name = widths[named] ?? 0;
  if (beyond > 0 && name - beyond < Math.min(name, MIN_NAME)) return undefined;
  const fitted = widths.map((one, i) => (i === named && beyond > 0 ? one - beyond : one));
  return texts.map((row, y) => {
    const cells = row.map((text, i) => {
      const columns = fitted[i] ?? 0;
      return typeof rows[y]?.[i] === 'string' ? padTo(cutTo(text, columns), columns) : text.padStart(columns);
    });
    return cells.join(GAP).trimEnd();
  });
};

const GAP = '  ';
