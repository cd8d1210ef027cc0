/** How output looks on the terminal of this process. */
import { toTerminalLine } from '../io/terminal/paint';
import { toVisible, toVisibleLines, toVisibleScript } from '../streams/text/visible';

/** The columns of a terminal; 80 for a file or a program, whose width nobody knows. */
export const columnsOf = ({ columns }: { columns?: number }): number => columns || 80;

/** Signs of this program, and what stands for them. */
const ASCII: Readonly<Record<string, string>> = {
  '→': '->',
  '…': '...',
  '×': 'x',
  '⏎': '|',
  '─': '-',
  '▶': '>',
  '◀': '<',
};

/** The text for a terminal whose locale has not UTF-8, as with LANG=C. Without any locale it may have. */
export const inLocale = (text: string, { isTTY }: { isTTY?: boolean }, env = process.env): string => {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return isTTY && locale !== '' && !/utf-?8/i.test(locale)
    ? text.replace(/[^\0-\x7f]/g, (sign) => ASCII[sign] ?? sign)
    : text;
};

/** Writes lines for a person, to stdout unless another stream is named; nothing else in them commands a terminal or stays unseen. */
export const print = (text: string, to: NodeJS.WriteStream = process.stdout): void =>
  void to.write(inLocale(toVisibleLines(text), to));

/** The same for lines of a file, whose tabs stay and whose line breaks become those of a terminal. */
export const printScript = (text: string): void =>
  void process.stdout.write(inLocale(toVisibleScript(text.replaceAll('\r\n', '\n')), process.stdout));

/** The same for lines with the colours of `io/terminal/paint`. */
export const printPainted = (text: string): void =>
  void process.stdout.write(inLocale(text.split('\n').map(toTerminalLine).join('\n'), process.stdout));

/** Writes a line over the last one on stderr, if that is a terminal; the empty text takes it away. */
export const printOver = (text: string, to: NodeJS.WriteStream = process.stderr): void => {
  if (to.isTTY) to.write(`\r\x1b[2K${inLocale(toVisible(text), to).slice(0, columnsOf(to) - 1)}`);
};

/** Writes what a program may read, such as the lines of a tape: as it is for a file or a program, visible on a terminal. */
export const printData = (text: string, to: NodeJS.WriteStream = process.stdout): void =>
  void to.write(to.isTTY ? toVisibleLines(text) : text);

/** True if stdout may have colours: with FORCE_COLOR, or in a terminal without NO_COLOR. */
export const hasColours = ({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>): boolean =>
  env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : Boolean(stdout.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb';
