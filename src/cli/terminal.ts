/** How output looks on the terminal of this process. */

import { toVisibleLines } from '../io/log/toPlain';

/** The columns of a terminal; 80 for a file or a program, whose width nobody knows. */
export const columnsOf = ({ columns }: { columns?: number }): number => columns || 80;

/**
 * Lines of a tape for stdout: as they are for a file or a program; for a terminal with control characters escaped.
 */
export const tapeLinesFor = ({ isTTY }: { isTTY?: boolean }, text: string): string =>
  isTTY ? toVisibleLines(text) : text;

/** True if stdout may have colours: a terminal, without NO_COLOR. */
export const hasColours = ({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean =>
  Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
