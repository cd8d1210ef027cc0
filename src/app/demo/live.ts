/** Owns the running picture: a line a message, as marbles or as it went over the wire. */
import { concatMap, map, type OperatorFunction } from 'rxjs';
import { styleOf } from '../../diagram';
import type { Paint } from '../../terminal';
import { collapseDeltas } from './collapseDeltas';
import type { Mark } from './mark';
import { cut, wrap } from './text';
import { type Spoken, toMarks } from './toMarks';

/** `width` in characters. */
export type LineOptions = { paint: Paint; width: number };

const MS = 6;
const LANE = 8;
const NAME = 21;
/** Time, gap, marble, gap, lane, gap, arrow, gap. */
const HEAD = MS + 2 + 1 + 1 + LANE + 1 + 3 + 1;

/** The words above the columns. */
export const liveHead = ({ paint }: LineOptions): string =>
  paint('dim', `${'ms'.padStart(MS)}    ${'lane'.padEnd(LANE)} ──▶ from the client, ◀── from the server`);

const arrowOf = ({ lane, sent }: Mark): string => {
  if (lane === 'log') return '   ';
  return sent ? '──▶' : '◀──';
};

/** Time, marble, lane, direction, what it is, what it says; a question is shown whole, in lines of its own. */
export const toLiveLines = (mark: Mark, { paint, width }: LineOptions): string[] => {
  const { atMs, symbol, lane, name, count, text, whole } = mark;
  const style = styleOf[lane];
  const head = `${paint('dim', String(atMs).padStart(MS))}  ${paint(style, `${symbol} ${lane.padEnd(LANE)} ${arrowOf(mark)}`)} `;
  const title = count > 1 ? `${name} ×${count}` : name;
  if (whole) return [head + title, ...wrap(text, width - HEAD).map((line) => ' '.repeat(HEAD) + paint('bold', line))];
  if (text === '') return [head + cut(title, width - HEAD)];
  const named = `${title.padEnd(NAME)} `;
  return [head + named + cut(text, width - HEAD - named.length)];
};

/** Marbles, deltas collapsed, each as soon as it is known. */
export const liveMarbles =
  (options: LineOptions): OperatorFunction<Spoken, string> =>
  (spoken$) =>
    spoken$.pipe(
      toMarks(),
      collapseDeltas(),
      concatMap((mark) => toLiveLines(mark, options)),
    );

/** The lines of the wire themselves, none left out, none cut. */
export const liveJson =
  ({ paint }: LineOptions): OperatorFunction<Spoken, string> =>
  (spoken$) =>
    spoken$.pipe(
      map(({ value }) => {
        if (value.from === 'near') return `${paint('cyan', '──▶')} ${value.item}`;
        if (value.item.kind === 'line') return `${paint('green', '◀──')} ${value.item.line}`;
        return value.item.kind === 'log' ? `    ${value.item.line}` : `    ${value.item.trouble || 'the server ended'}`;
      }),
    );
