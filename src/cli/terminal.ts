/** How output looks on the terminal of this process. */

import { toTerminalLine } from '../io/terminal/paint';
import { toVisibleLines } from '../streams/text/visible';

/** The columns of a terminal; 80 for a file or a program, whose width nobody knows. */
export const columnsOf = ({ columns }: { columns?: number }): number => columns || 80;

/** Writes lines for a person, to stdout unless another stream is named; nothing else in them commands a terminal or stays unseen. */
export const print = (text: string, to: NodeJS.WriteStream = process.stdout): void =>
  void to.write(toVisibleLines(text));

/** The same for lines with the colours of `io/terminal/paint`. */
export const printPainted = (text: string): void =>
  void process.stdout.write(text.split('\n').map(toTerminalLine).join('\n'));

/** Writes what a program may read, such as the lines of a tape: as it is for a file or a program, visible on a terminal. */
export const printData = (text: string, to: NodeJS.WriteStream = process.stdout): void =>
  void to.write(to.isTTY ? toVisibleLines(text) : text);

/** True if stdout may have colours: a terminal, without NO_COLOR. */
export const hasColours = ({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean =>
  Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
