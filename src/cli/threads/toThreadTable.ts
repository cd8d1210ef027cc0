/** Shows a list of threads to a person. Own code: libraries of tables cut or wrap any column; here only the end of a line is cut. */
import { toVisible } from '../../io/log/toPlain';
import { cutTo, padTo, widthOf } from '../../io/terminal/width';
import type { ThreadSummary } from '../../threads/listing/threadSummary';

/** @param width characters of a line; @param nowMs ms since 1970 */
export type TableOptions = { width: number; nowMs: number };

const HEAD = ['id', 'last used', 'folder', 'first prompt'];
const FOLDER_WIDTH = 30;
const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
];

/** The lines of a table; control characters from a thread are escaped. */
export const toThreadTable = (threads: readonly ThreadSummary[], { width, nowMs }: TableOptions): string[] => {
  const rows = threads.map(({ id, writtenMs, cwd, preview }) => [
    id,
    ageOf(nowMs - writtenMs),
    tailOf(toVisible(cwd)),
    toVisible(preview.replaceAll(/\s+/g, ' ')),
  ]);
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_, at) => Math.max(...table.map((row) => widthOf(row[at] ?? ''))));
  return table.map((row) => cutTo(row.map((cell, at) => padTo(cell, widths[at] ?? 0)).join('  '), width).trimEnd());
};

/** How long ago, in its largest unit: `3 d`. */
const ageOf = (ms: number): string => {
  const unit = UNITS.find((one) => ms >= one.ms);
  return unit === undefined ? 'now' : `${Math.floor(ms / unit.ms)} ${unit.name}`;
};

/** The end of a path says more than its beginning. */
const tailOf = (path: string): string => (path.length <= FOLDER_WIDTH ? path : `…${path.slice(1 - FOLDER_WIDTH)}`);
