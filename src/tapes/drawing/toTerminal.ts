/** Draws the picture of a session for a terminal, with a column per message or by the clock. */
import type { Paint, Style } from '../../io/terminal/paint';
import { flowTo, padTo } from '../../io/terminal/width';
import { toVisible } from '../../streams/text/visible';
import type { Chart } from '../diagram/chart';
import { type DiagramLane, type Marble, styleOf, toDiagram, toLegend } from '../diagram/toDiagram';
import { toClusters } from '../page/clusters';
import { durationOf } from '../page/labels';
import type { Group } from '../page/model';
import type { Axis } from './layout';

/** How a diagram is drawn; `width` in columns. */
type TerminalOptions = { paint: Paint; width: number; axis: Axis };

const STYLES: Record<Group, Style> = { ...styleOf, seam: 'magenta', log: 'dim' };

/** The picture in lines. Lines of stderr and notes are not drawn. No control character of a tape reaches the terminal. */
export const toTerminal = (drawn: Chart, { axis, ...options }: TerminalOptions): string[] => {
  const chart = withVisibleNames(drawn);
  const lanes = chart.lanes
    .filter(({ group }) => group !== 'log')
    .map(({ key, group }) => ({ key, style: STYLES[group] }));
  const marks = toMarks(chart);
  const picture = axis === 'ordinal' ? toDiagram(marks, { ...options, lanes }) : toClock(chart, lanes, options);
  const named = marks.filter(({ symbol }) => !FIXED.has(symbol));
  return [...picture, '', ...toLegend(named, { ...options, lanes }), '', ...flowTo(SIGNS[axis], options.width, '   ')];
};

const withVisibleNames = (chart: Chart): Chart => ({
  ...chart,
  lanes: chart.lanes.map((lane) => ({ ...lane, key: toVisible(lane.key) })),
  marbles: chart.marbles.map((marble) => ({ ...marble, name: toVisible(marble.name) })),
});

/** Signs with the same meaning in each picture. */
const FIXED = new Set(['!', 'x', '?']);
const COMMON = ['! an error', 'x a cancel', '? no message'];
const SIGNS: Record<Axis, string[]> = {
  ordinal: ['= a call waits for its response', ...COMMON],
  linear: ['2…9 so many marbles on one spot, + more', ...COMMON],
};

/** The lane on which the response to a marble comes. In a story each server has answers of its own, on the lane below its calls. */
const waitingLane = ({ lanes, marbles }: Chart, from: number): string => {
  const at = marbles[from]?.lane ?? -1;
  const [own, next] = [lanes[at], lanes[at + 1]];
  return own?.group === 'request' && next?.group === 'answer' ? next.key : (own?.key ?? '');
};

const toMarks = (chart: Chart): Marble<string>[] => {
  const { marbles, spans, lanes } = chart;
  const changes = new Map<number, [lane: string, by: number][]>();
  const change = (at: number, lane: string, by: number) => {
    const here = changes.get(at);
    if (here) here.push([lane, by]);
    else changes.set(at, [[lane, by]]);
  };
  for (const { from, to } of spans) {
    const lane = waitingLane(chart, from);
    change(from + 1, lane, 1);
    change(to ?? marbles.length, lane, -1);
  }
  const open = new Map<string, number>();
  let waits: ReadonlySet<string> = new Set();
  return marbles.map(({ atMs, untilMs, lane, symbol, name }, i) => {
    const here = changes.get(i);
    for (const [key, by] of here ?? []) open.set(key, (open.get(key) ?? 0) + by);
    if (here) waits = new Set([...open].filter(([, many]) => many > 0).map(([key]) => key));
    return { atMs, untilMs, lane: lanes[lane]?.key ?? '', symbol, name, waits };
  });
};

const SIZE = 12;
const TICK = 16;

/** The whole session in one row by the clock; marbles on one spot are drawn as their number. */
const toClock = (
  { marbles, lanes }: Chart,
  shown: readonly DiagramLane[],
  { paint, width }: Omit<TerminalOptions, 'axis'>,
): string[] => {
  const columns = width - SIZE - 2;
  const lastMs = Math.max(marbles.at(-1)?.untilMs ?? 0, 1);
  const xOf = (i: number): number => Math.floor(((marbles[i]?.atMs ?? 0) / lastMs) * (columns - 1));
  const laneOf = (i: number): number => marbles[i]?.lane ?? 0;
  const clusters = toClusters([0, marbles.length], { laneOf, xOf, badOf: () => false }, 1);
  const ticks = Array.from({ length: Math.floor(columns / TICK) }, (_, i) =>
    durationOf((lastMs * i * TICK) / (columns - 1)).padEnd(TICK),
  );
  const ruler = `${' '.repeat(SIZE + 1)}${ticks.join('').slice(0, columns)}`.trimEnd();
  const lines = shown.map(({ key, style }) => {
    const track = Array.from({ length: columns }, () => '-');
    for (const { lane, first, count } of clusters) {
      if (lanes[lane]?.key !== key) continue;
      track[xOf(first)] = count === 1 ? (marbles[first]?.symbol ?? '') : count > 9 ? '+' : String(count);
    }
    return paint(style, `${padTo(key, SIZE)} ${track.join('')}|`);
  });
  return [ruler, ...lines];
};
