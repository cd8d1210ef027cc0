/** Draws the legend of an SVG: what the letters and signs stand for. */

import type { Chart } from '../diagram/chart';
import { cutLabel, labelWidth } from '../page/labels';
import { type LegendEntry, legendEntries } from '../page/legendEntries';
import { SIZE } from './layout';
import { marbleSvg } from './marbleSvg';
import { escapeXml, tag } from './xml';

/** More names than this are not explained one by one. */
const MAX_ENTRIES = 80;
/** Pixels: of a line, from marble to marble, and beside the legend. */
const LINE = 27;
const SIGN = 25;
const MARGIN = 18;
const MAX_COLUMNS = 5;

type Sign = { symbol: string; name: string; lane: number; index: number };
type Entry = LegendEntry<Sign>;

/** Each name once, errors as one, from the first lane to the last. */
const toEntries = ({ marbles }: Chart): Entry[] => {
  const signs = marbles.map(({ symbol, name, lane, mark }, index): Sign => {
    const isError = mark === 'error';
    return { symbol: isError ? '!' : symbol, name: isError ? 'an error' : name, lane, index };
  });
  const laneOf = ({ signs: [first] }: Entry): number => first?.lane ?? 0;
  return legendEntries(signs).sort((a, b) => laneOf(a) - laneOf(b));
};

/** The legend with its upper edge at `top`, and its height in pixels. */
export const legendSvg = (chart: Chart, top: number): { svg: string; height: number } => {
  const all = toEntries(chart);
  const entries = all.slice(0, MAX_ENTRIES);
  const signs = Math.max(0, ...entries.map((entry) => entry.signs.length));
  const widest = Math.max(0, ...entries.map(({ name }) => labelWidth(name.slice(0, 200)))) * 1.1;
  const columns = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(SIZE.width / (widest + signs * SIGN + 24))));
  const [lines, width] = [Math.ceil(entries.length / columns), (SIZE.width - 2 * MARGIN) / columns];
  const drawn = entries.map((entry, i) => {
    const [x, y] = [MARGIN + 12 + Math.floor(i / lines) * width, top + 14 + (i % lines) * LINE];
    return tag('g', { transform: `translate(${Math.round(x)} ${y})` }, entrySvg(chart, entry, { signs, width }));
  });
  const rest = all.length - entries.length;
  const y = top + 14 + lines * LINE;
  const more = rest > 0 ? tag('text', { class: 'q', x: MARGIN, y }, `and ${rest} more names`) : '';
  return { svg: drawn.join('') + more, height: (lines + (rest > 0 ? 1 : 0)) * LINE };
};

/** The marbles of a name, and the name, which begins at the same place in each entry. */
const entrySvg = (chart: Chart, { name, signs }: Entry, { signs: most, width }: { signs: number; width: number }) => {
  const drawn = signs.map(({ index, lane, symbol }, i) => {
    const cluster = { lane, x: 0, first: index, last: index, count: 1, bad: 0 };
    const classes = `${chart.lanes[lane]?.group}${symbol === '!' ? ' bad' : ''}`;
    return tag('g', { class: classes, transform: `translate(${i * SIGN} 0)` }, marbleSvg(chart, cluster));
  });
  const text = cutLabel(name, width - most * SIGN + 8) ?? '';
  return [...drawn, tag('text', { x: most * SIGN - 6, y: 4 }, escapeXml(text))].join('');
};
