/** A table for a terminal, and times as it shows them. */
import { cutTo, padTo, widthOf } from '../io/terminal/width';

/** Columns of a table if the width of the terminal is unknown. */
export const TABLE_WIDTH = 100;

/** The lines of a table, its heading first, cut to the width. The cells are visible text. */
export const toTable = (head: readonly string[], rows: readonly (readonly string[])[], width: number): string[] => {
  const table = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...table.map((row) => widthOf(row[at] ?? ''))));
  return table.map((row) =>
    cutTo(
      row
        .map((cell, at) => padTo(cell, widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
      width,
    ),
  );
};

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
];

/** How long ago, in its largest unit: `3 d`. */
export const ageOf = (ms: number): string => {
  const unit = UNITS.find((one) => ms >= one.ms);
  return unit === undefined ? 'now' : `${Math.floor(ms / unit.ms)} ${unit.name}`;
};
