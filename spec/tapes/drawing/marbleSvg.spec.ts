import type { ChartMarble } from '../../../src/tapes/diagram/chart';
import { marbleSvg } from '../../../src/tapes/drawing/marbleSvg';
import { chartOf, marble } from './charts';

const cluster = (count = 1) => ({ lane: 0, x: 0, first: 0, last: 0, count, bad: 0 });
const svgOf = (own: Partial<ChartMarble>, count = 1) => marbleSvg(chartOf({ marbles: [marble(own)] }), cluster(count));

const circle = (more = '', at = 0) => `<circle class="m${more}" r="10.5" cx="${at}" cy="${at}"/>`;
const letter = '<text class="l" y="4.2">p</text>';

describe('marbleSvg', () => {
  it.each<[string, Partial<ChartMarble>, string]>([
    ['a message', {}, circle() + letter],
    ['a run of messages, as two marbles', { count: 2 }, circle('', 2.6) + circle() + letter],
    ['a cancel', { mark: 'cancel' }, circle(' c') + letter],
    [
      'what is odd, as a square',
      { mark: 'odd' },
      `<rect class="m" x="-9" y="-9" width="18" height="18" rx="3"/>${letter}`,
    ],
    ['an end', { mark: 'end' }, `${circle()}<path class="stop" d="M0-6V6"/>`],
    ['an error', { mark: 'error' }, `${circle()}<path class="x" d="M-5.5-5.5 5.5 5.5M-5.5 5.5 5.5-5.5"/>`],
  ])('draws %s', (_, own, shape) => {
    expect(svgOf(own).replace(/^<title>.*?<\/title>/s, '')).toBe(shape);
  });

  it.each([
    [{ atMs: 5 }, '{"a":1}', 'p ping · 5 ms · line 2\n{&quot;a&quot;:1}'],
    [{ count: 3 }, '<', 'p ping · 0 ms · 3 messages from line 2\n&lt;'],
    [{}, 'x'.repeat(200), `p ping · 0 ms · line 2\n${'x'.repeat(200)}`],
    [{}, 'x'.repeat(201), `p ping · 0 ms · line 2\n${'x'.repeat(200)} …`],
  ])('has a tooltip for %j', (own, line, title) => {
    const entries = [{ lineNumber: 2, entry: { t: 0, dir: 'in', line } }];
    const svg = marbleSvg(chartOf({ entries, marbles: [marble(own)] }), cluster());
    expect(/^<title>(.*?)<\/title>/s.exec(svg)?.[1]).toBe(title);
  });

  it.each([
    [2, '2', 22],
    [999, '999', 28.2],
    [1000, '1k', 22],
    [12_345, '12k', 28.2],
  ])('draws a cluster of %i as a pill', (count, text, width) => {
    expect(svgOf({}, count)).toBe(
      `<title>${count} marbles, from line 2</title>` +
        `<rect class="m" x="${-width / 2}" y="-8.5" width="${width}" height="17" rx="8.5"/>` +
        `<text class="n" y="3.6">${text}</text>`,
    );
  });

  it.each([
    [1, ', 1 of them errors', '<circle class="dot" cx="9" cy="-8" r="4"/>'],
    [2, ', 2 of them errors', ''],
  ])('has a dot on a cluster of two where %i is an error, but not all', (bad, errors, dot) => {
    const svg = marbleSvg(chartOf(), { ...cluster(2), bad });
    expect(svg.startsWith(`<title>2 marbles${errors}, from line 2</title>`)).toBe(true);
    expect(svg.endsWith(`</text>${dot}`)).toBe(true);
  });
});
