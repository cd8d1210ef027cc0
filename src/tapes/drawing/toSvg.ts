/** Draws the picture of a session as a complete SVG of limited size. */
import type { Chart } from '../diagram/chart';
import { cutLabel, type LegendEntry, labelWidth, legendEntries } from '../page/labels';
import { GROUPS, paletteCss } from '../page/palette';
import { type Axis, SIZE, toLayout } from './layout';
import { marbleSvg } from './marbleSvg';
import { rowSvg } from './rowSvg';
import { escapeXml, tag } from './xml';

/** How an SVG is drawn. */
export type SvgOptions = {
  /** Shown above the picture. */
  title: string;
  /** How time runs. */
  axis: Axis;
};

/** The picture as XML. A session that needs more than 12 rows is folded: several marbles share a column, and a line says how many. */
export const toSvg = (chart: Chart, { title, axis }: SvgOptions): string => {
  const layout = toLayout(chart, axis);
  const rows = layout.rows.map((_, row) => rowSvg(chart, layout, { row, axis }));
  const folded =
    layout.perColumn > 1 && axis === 'ordinal' ? [`folded: a column stands for ${layout.perColumn} marbles`] : [];
  const facts = factLines([...chart.facts.map(([label, text]) => `${label} ${text}`), ...folded]);
  const more = (facts.length - 1) * FACT_LINE;
  const legendY = layout.height + 12;
  const legend = legendSvg(chart, legendY);
  const height = legendY + legend.height + 16 + more;
  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${SIZE.width} ${Math.ceil(height)}`,
      width: SIZE.width,
      height: Math.ceil(height),
      role: 'img',
      'aria-label': `Marble diagram of ${title}`,
    },
    tag('style', {}, svgStyle().replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    tag('rect', { class: 'paper', width: '100%', height: '100%' }),
    tag('text', { class: 'h', x: 16, y: 32 }, escapeXml(title)),
    ...facts.map((line, i) => tag('text', { class: 'q', x: 16, y: 54 + i * FACT_LINE }, escapeXml(line))),
    tag('g', { transform: `translate(0 ${more})` }, ...rows, legend.svg),
  );
};

/** Pixels. */
const FACT_LINE = 18;
const FACTS_WIDTH = SIZE.width - 2 * SIZE.margin;
const BETWEEN = '  ·  ';

/** Facts in lines that fit the picture; a long fact is cut. */
const factLines = (facts: readonly string[]): string[] => {
  const lines: string[] = [];
  for (const fact of facts) {
    const last = lines.at(-1);
    const longer = `${last}${BETWEEN}${fact}`;
    if (last !== undefined && labelWidth(longer) * 1.1 <= FACTS_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(cutLabel(fact, FACTS_WIDTH / 1.1) ?? '');
  }
  return lines;
};

const perGroup = (): string =>
  GROUPS.map(
    (group) => `.${group}{--fill:var(--${group}-fill);--line:var(--${group}-line);--ink:var(--${group}-ink)}`,
  ).join('');

/** The style sheet of an SVG: light, or dark if the reader's system is dark. */
export const svgStyle = (): string => `svg{${paletteCss('light')};color-scheme:light dark}
@media(prefers-color-scheme:dark){svg{${paletteCss('dark')}}}
text{font:12px ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--text)}
.paper{fill:var(--paper)}.h{font-size:19px;font-weight:600}.q{fill:var(--quiet)}.s{font-size:10.5px}
.wire{stroke:var(--wire);stroke-width:1.4;fill:none}.tip{fill:var(--wire)}.stop{stroke:var(--wire);stroke-width:2.6}
.close{stroke:var(--wire);stroke-width:1.2;opacity:.55}.dot{fill:var(--bad);stroke:var(--paper);stroke-width:1.6}
.m{fill:var(--fill);stroke:var(--line);stroke-width:1.7}
.l{font-size:12px;font-weight:600;fill:var(--ink);text-anchor:middle}
.n{font-size:10px;font-weight:600;fill:var(--ink);text-anchor:middle}
.b{font-size:10.5px;fill:var(--quiet);paint-order:stroke;stroke:var(--paper);stroke-width:3;stroke-linejoin:round}
${perGroup()}
.bad{--fill:var(--bad-fill);--line:var(--bad);--ink:var(--bad)}.x{stroke:var(--bad);stroke-width:2.6;stroke-linecap:round}
.c{fill:var(--paper);stroke-dasharray:3 2.4}
.span{stroke:var(--line);stroke-width:3.4;stroke-linecap:round;opacity:.62}
.failed{stroke:var(--bad);opacity:.9}.cancelled{stroke-dasharray:7 5}.open{stroke-dasharray:1 6}
.drop{stroke:var(--line);stroke-width:1;stroke-dasharray:1.5 3;opacity:.8}
.tick{stroke:var(--rule);stroke-width:1}.pause{stroke:var(--quiet);stroke-width:1;stroke-dasharray:2 3;opacity:.7}`;

/** Further names are only counted. */
const MAX_ENTRIES = 80;
/** Pixels: the height of a line, from marble to marble, and at the sides of the legend. */
const LINE = 27;
const SIGN = 25;
const MARGIN = 18;
const MAX_COLUMNS = 5;

type Sign = { symbol: string; name: string; lane: number; index: number };
type Entry = LegendEntry<Sign>;

/** Each name once, all errors as one name, from the first lane to the last. */
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

const entrySvg = (chart: Chart, { name, signs }: Entry, { signs: most, width }: { signs: number; width: number }) => {
  const drawn = signs.map(({ index, lane, symbol }, i) => {
    const cluster = { lane, x: 0, first: index, last: index, count: 1, bad: 0 };
    const classes = `${chart.lanes[lane]?.group}${symbol === '!' ? ' bad' : ''}`;
    return tag('g', { class: classes, transform: `translate(${i * SIGN} 0)` }, marbleSvg(chart, cluster));
  });
  const text = cutLabel(name, width - most * SIGN + 8) ?? '';
  return [...drawn, tag('text', { x: most * SIGN - 6, y: 4 }, escapeXml(text))].join('');
};
