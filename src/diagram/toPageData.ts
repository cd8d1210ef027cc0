/** Owns turning a picture into the data of a page: columns, each name once. */
import { MARKS, OUTCOMES, type PageData } from '../page';
import type { JsonObject } from '../protocol/jsonrpc';
import type { Chart } from './chart';
import { factsOf } from './sessionFacts';
import type { SvgOptions } from './svg/toSvg';

/** The data of a page. @param meta what the tape says of itself @param title mostly the name of its file */
export const toPageData = (chart: Chart, meta: JsonObject, { title, axis }: SvgOptions): PageData => {
  const { lanes, marbles, spans, threads, ends, entries } = chart;
  const names = new Map<string, number>();
  for (const { name } of marbles) if (!names.has(name)) names.set(name, names.size);
  const column = (pick: (marble: Chart['marbles'][number]) => number): number[] => marbles.map(pick);
  return {
    title,
    axis,
    facts: factsOf(chart, meta),
    lanes,
    threads,
    names: [...names.keys()],
    marbles: {
      at: column(({ atMs }) => rounded(atMs)),
      until: column(({ untilMs }) => rounded(untilMs)),
      lane: column(({ lane }) => lane),
      name: column(({ name }) => names.get(name) ?? 0),
      thread: column(({ thread }) => thread ?? -1),
      symbol: marbles.map(({ symbol }) => symbol).join(''),
      mark: column(({ mark }) => MARKS.indexOf(mark)),
      first: column(({ first }) => first),
      count: column(({ count }) => count),
      word: column(({ word }) => word ?? -1),
    },
    spans: spans.map(({ from, to, outcome, tier }) => [from, to ?? -1, OUTCOMES.indexOf(outcome), tier]),
    ends: { client: ends.client ?? -1, server: ends.server ?? -1, ok: ends.ok },
    lines: {
      t: entries.map(({ entry }) => rounded(entry.t)),
      dir: entries.map(({ entry: { dir, seam } }) => (seam === undefined || seam === 'mcp' ? dir : `${seam}.${dir}`)),
      number: entries.map(({ lineNumber }) => lineNumber),
      text: entries.map(({ entry }) => entry.line),
    },
  };
};

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
