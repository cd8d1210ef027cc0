/** Draws the picture of a session as an SVG that stands alone and is of a bounded size. */
import type { Chart } from '../chart';
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
 * The picture as XML. A session that needs more than 12 rows is folded: as many marbles as must share a column, and a line
 * says how many.
 */
export const toSvg = (chart: Chart, { title, axis }: SvgOptions): string => {
  const layout = toLayout(chart, axis);
  const rows = Array.from({ length: layout.rows }, (_, row) =>
    tag(
      'g',
      { transform: `translate(0 ${layout.rowY(row)})` },
      ...[rulerSvg(chart, layout, { row, axis }), spansSvg(chart, layout, row), wiresSvg(chart, layout, row)],
      marblesSvg(chart, layout, row),
    ),
  );
  const legendY = layout.rowY(layout.rows) + 12;
  const legend = legendSvg(chart, legendY);
  const height = legendY + legend.height + 16;
  const facts = chart.facts.map(([label, text]) => `${label} ${text}`);
  const folded =
    layout.perColumn > 1 && axis === 'ordinal' ? [`folded: a column stands for ${layout.perColumn} marbles`] : [];
  return tag(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${SIZE.width} ${Math.ceil(height)}` },
      ...{ width: SIZE.width, height: Math.ceil(height), role: 'img', 'aria-label': `Marble diagram of ${title}` },
    },
    tag('style', {}, svgStyle().replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
    tag('rect', { class: 'paper', width: '100%', height: '100%' }),
    tag('text', { class: 'h', x: 16, y: 32 }, escapeXml(title)),
    tag('text', { class: 'q', x: 16, y: 54 }, escapeXml([...facts, ...folded].join('  ·  '))),
    ...rows,
    legend.svg,
  );
};
