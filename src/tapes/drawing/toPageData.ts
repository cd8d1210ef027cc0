/** Turns a picture into the data of a page: columns, each name once. */

import type { Chart, ChartMarble } from '../diagram/chart';
import { MARKS, OUTCOMES, type PageData } from '../page/data';
import type { SvgOptions } from './toSvg';

/** The data of a page. `title` is usually the name of the tape's file. */
export const toPageData = (chart: Chart, { title, axis }: SvgOptions): PageData => {
  const { facts, lanes, marbles, spans, threads, ends } = chart;
  const names = [...new Set(marbles.map(({ name }) => name))];
  return {
    title,
    axis,
    facts,
    lanes,
    threads: [...threads],
    names,
    marbles: toColumns(marbles, names),
    spans: spans.map(({ from, to, outcome, tier }) => [from, to ?? -1, OUTCOMES.indexOf(outcome), tier]),
    ends: { client: ends.client ?? -1, server: ends.server ?? -1 },
    lines: toLines(chart),
  };
};

const toColumns = (marbles: readonly ChartMarble[], names: readonly string[]): PageData['marbles'] => {
  const column = (pick: (marble: ChartMarble) => number): number[] => marbles.map(pick);
  const indices = new Map(names.map((name, i) => [name, i]));
  return {
    at: column(({ atMs }) => rounded(atMs)),
    until: column(({ untilMs }) => rounded(untilMs)),
    lane: column(({ lane }) => lane),
    name: column(({ name }) => indices.get(name) ?? 0),
    thread: column(({ thread }) => thread ?? -1),
    symbol: marbles.map(({ symbol }) => symbol).join(''),
    mark: column(({ mark }) => MARKS.indexOf(mark)),
    first: column(({ first }) => first),
    count: column(({ count }) => count),
    part: column(({ part }) => part ?? -1),
  };
};

const toLines = ({ entries }: Chart): PageData['lines'] => ({
  t: entries.map(({ entry }) => rounded(entry.t)),
  dir: entries.map(({ entry: { dir, seam } }) => (seam === undefined || seam === 'mcp' ? dir : `${seam}.${dir}`)),
  number: entries.map(({ lineNumber }) => lineNumber),
  text: entries.map(({ entry }) => entry.line),
});

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
