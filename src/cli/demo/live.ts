/** Draws the messages as they come: a line each, as marbles or as JSON. */
import { concatMap, map, type OperatorFunction } from 'rxjs';
import type { Paint } from '../../io/terminal/paint';
import { cutTo, padTo, widthOf, wrapTo } from '../../io/terminal/width';
import { toVisible } from '../../streams/text/visible';
import { styleOf } from '../../tapes/diagram/toDiagram';
import { collapseDeltas, type Mark, type TimedTraffic, toMarks } from './toMarks';

export type LineOptions = { paint: Paint; width: number };

const MS = 6;
const LANE = 8;
const NAME = 21;
/** Time, gap, marble, gap, lane, gap, arrow, gap. */
const HEAD = MS + 2 + 1 + 1 + LANE + 1 + 3 + 1;

/** The titles of the columns. */
export const liveHead = ({ paint }: LineOptions): string =>
  paint('dim', `${'ms'.padStart(MS)}    ${'lane'.padEnd(LANE)} ──▶ from the client, ◀── from the server`);

const arrowOf = ({ lane, sent }: Mark): string => {
  if (lane === 'log') return '   ';
  return sent ? '──▶' : '◀──';
};

/** Time, marble, lane, direction, name and text; a question is shown whole, in lines of its own. */
export const toLiveLines = (mark: Mark, { paint, width }: LineOptions): string[] => {
  const { atMs, symbol, lane, name, count, text, whole } = mark;
  const style = styleOf[lane];
  const head = `${paint('dim', String(atMs).padStart(MS))}  ${paint(style, `${symbol} ${lane.padEnd(LANE)} ${arrowOf(mark)}`)} `;
  const title = count > 1 ? `${name} ×${count}` : name;
  if (whole) return [head + title, ...wrapTo(text, width - HEAD).map((line) => ' '.repeat(HEAD) + paint('bold', line))];
  if (text === '') return [head + cutTo(title, width - HEAD)];
  const named = `${widthOf(title) < NAME ? padTo(title, NAME) : title} `;
  return [head + named + cutTo(text, width - HEAD - widthOf(named))];
};

/** Marbles, deltas collapsed, each as soon as it is known. */
export const liveMarbles =
  (options: LineOptions): OperatorFunction<TimedTraffic, string> =>
  (traffic$) =>
    traffic$.pipe(
      toMarks(),
      collapseDeltas(),
      concatMap((mark) => toLiveLines(mark, options)),
    );

/** Every line on the wire, whole. Escapes for invisible characters leave the JSON the same. */
export const liveJson =
  ({ paint }: LineOptions): OperatorFunction<TimedTraffic, string> =>
  (traffic$) =>
    traffic$.pipe(
      map(({ value: { from, item } }) => {
        if (from === 'near') return `${paint('cyan', '──▶')} ${toVisible(item)}`;
        if (item.kind === 'line') return `${paint('green', '◀──')} ${toVisible(item.line)}`;
        return `    ${toVisible(item.kind === 'log' ? item.line : item.trouble || 'the server ended')}`;
      }),
    );
