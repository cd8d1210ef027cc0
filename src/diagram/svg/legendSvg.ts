/** Draws the legend of an SVG: what the letters and signs stand for. */
import type { Chart, ChartMarble } from '../chart';
import { SIZE } from './layout';
import { marbleSvg } from './marbleSvg';
import { escapeXml, tag } from './xml';

/** More letters than this are not explained one by one. */
const MAX_ENTRIES = 60;
const COLUMNS = 4;
const LINE = 27;
const MAX_TEXT = 34;

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

/** Each marble that looks different, once, with its name. */
const differing = ({ marbles }: Chart): { index: number; marble: ChartMarble }[] => {
  const known = new Map<string, { index: number; marble: ChartMarble }>();
  marbles.forEach((marble, index) => {
    const key = marble.mark === 'error' ? 'error' : `${marble.lane} ${marble.symbol} ${marble.name}`;
    if (!known.has(key)) known.set(key, { index, marble });
  });
  return [...known.values()].sort((a, b) => a.marble.lane - b.marble.lane).slice(0, MAX_ENTRIES);
};

const labelOf = ({ mark, name }: ChartMarble, group: string | undefined): string => {
  if (mark === 'error') return 'an error';
  return group === 'answer' ? `${name}, answered` : name;
};

/** The legend from a height on, and how high it is. */
export const legendSvg = (chart: Chart, top: number): { svg: string; height: number } => {
  const entries = differing(chart);
  const height = Math.ceil(entries.length / COLUMNS);
  const width = (SIZE.width - 32) / COLUMNS;
  const drawn = entries.map(({ index, marble }, i) => {
    const x = 30 + Math.floor(i / height) * width;
    const y = top + 14 + (i % height) * LINE;
    const group = chart.lanes[marble.lane]?.group;
    const pile = { lane: marble.lane, x: 0, first: index, last: index, count: 1, bad: false };
    const bad = marble.mark === 'error' ? ' bad' : '';
    return (
      tag('g', { class: `${group}${bad}`, transform: `translate(${x} ${y})` }, marbleSvg(chart, pile)) +
      tag('text', { x: x + 19, y: y + 4 }, escapeXml(cut(labelOf(marble, group))))
    );
  });
  return { svg: drawn.join(''), height: height * LINE };
};
