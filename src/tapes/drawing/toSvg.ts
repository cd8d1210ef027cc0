/** Draws the picture of a session as an SVG that stands alone and is of a bounded size. */

import type { Chart } from '../diagram/chart';
import { cutLabel, labelWidth } from '../page/labels';
import { type Axis, SIZE, toLayout } from './layout';
import { legendSvg } from './legendSvg';
import { marblesSvg, wiresSvg } from './rowSvg';
import { rulerSvg } from './rulerSvg';
import { spansSvg } from './spansSvg';
import { svgStyle } from './style';
import { escapeXml, tag } from './xml';

/** `title` is shown above the picture; `axis` is how time runs. */
export type SvgOptions = { title: string; axis: Axis };

/**
 * The picture as XML. A session that needs more than 12 rows is folded: several marbles share a column, and a line
 * says how many.
 */
export const toSvg = (chart: Chart, { title, axis }: SvgOptions): string => {
  const layout = toLayout(chart, axis);
  const rows = layout.rows.map(({ top }, row) => rowOf({ chart, layout, axis, top, row }));
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

type Row = { chart: Chart; layout: ReturnType<typeof toLayout>; axis: Axis; top: number; row: number };

const rowOf = ({ chart, layout, axis, top, row }: Row): string =>
  tag(
    'g',
    { transform: `translate(0 ${top})` },
    rulerSvg(chart, layout, { row, axis }),
    spansSvg(chart, layout, row),
    wiresSvg(chart, layout, row),
    marblesSvg(chart, layout, row),
  );

/** Pixels. */
const FACT_LINE = 18;
const FACTS_WIDTH = SIZE.width - 2 * SIZE.margin;
const BETWEEN = '  ·  ';

/** Facts in lines that fit the picture; a long one is cut. */
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
