/** Makes the page of a tape: its data in columns, inserted so that nothing in it can act as markup or as a script. */
import type { Chart, ChartMarble } from '../diagram/chart';
import { MARKS, OUTCOMES, type PageData } from '../page/model';
import type { SvgOptions } from './toSvg';
import { escapeXml } from './xml';

const UNSAFE: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON without characters that have a meaning in HTML. */
const toSafeJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => UNSAFE[char] ?? char);

const TITLE = '<title></title>';
const DATA = '{"data":"none"}';

/**
 * The page of a tape.
 * @param template the built page, without its data
 */
export const toPage = (template: string, data: PageData): string => {
  const [beforeTitle, afterTitle] = splitAt(template, TITLE);
  const [beforeData, afterData] = splitAt(afterTitle, DATA);
  const title = `<title>${escapeXml(data.title)} · codex-rx</title>`;
  return [beforeTitle, title, beforeData, toSafeJson(data), afterData].join('');
};

const splitAt = (text: string, at: string): [string, string] => {
  const place = text.indexOf(at);
  if (place < 0) throw new Error(`The built page has no ${at}: run npm run build again`);
  return [text.slice(0, place), text.slice(place + at.length)];
};

/** The data of a page, each name once; `title` is usually the name of the tape's file. */
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
    ...(chart.story && { story: chart.story }),
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
