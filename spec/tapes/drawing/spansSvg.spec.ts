import type { Span } from '../../../src/tapes/diagram/chart';
import { spansSvg } from '../../../src/tapes/drawing/spansSvg';
import { chartOf, layoutOf, marble, rowsOf } from './charts';

const marbles = Array.from({ length: 30 }, (_, i) => marble({ lane: i % 2 }));
const span = (from: number, to: number | undefined, own: Partial<Span> = {}): Span => ({
  from,
  ...(to !== undefined && { to }),
  outcome: 'answered',
  tier: 0,
  ...own,
});
const svgOf = (spans: Span[], row = 0, rows = 3) =>
  spansSvg(chartOf({ marbles, spans }), layoutOf({ rows: rowsOf(rows) }), row);

describe('spansSvg', () => {
  it('draws a band below the lane of the request, and a line down to the response', () => {
    expect(svgOf([span(2, 5)])).toBe(
      '<g class="request"><path class="span answered" d="M20 55H50"/><path class="drop" d="M50 58V69"/></g>',
    );
  });

  it('draws no line up, nor to the same lane', () => {
    expect(svgOf([span(1, 4, { tier: 2, outcome: 'failed' }), span(2, 4)])).toBe(
      '<g class="answer"><path class="span failed" d="M10 105H40"/></g>' +
        '<g class="request"><path class="span answered" d="M20 55H40"/></g>',
    );
  });

  it('goes through the rows between, and to the end without a response', () => {
    const [first, middle, last] = [0, 1, 2].map((row) => svgOf([span(5, 21)], row));
    expect([first, middle, last]).toEqual([
      '<g class="answer"><path class="span answered" d="M50 95H118"/></g>',
      '<g class="answer"><path class="span answered" d="M162 95H163"/></g>',
      '<g class="answer"><path class="span answered" d="M162 95H163"/></g>',
    ]);
    expect(svgOf([span(25, undefined, { outcome: 'open' })], 2)).toBe(
      '<g class="answer"><path class="span open" d="M50 95H110"/></g>',
    );
    expect(svgOf([span(15, 17)], 0)).toBe('');
  });

  it('draws alike spans once', () => {
    expect(svgOf([span(2, 5), span(2, 5)])).toBe(svgOf([span(2, 5)]));
  });

  it('leaves out the shortest of more than a thousand', () => {
    const many = Array.from({ length: 1_001 }, (_, tier) => span(2, tier === 1_000 ? undefined : 5, { tier }));
    const drawn = [...svgOf(many).matchAll(/span /g)].length;
    const has = ['M20 5055', 'M20 5050', 'M20 5045'].map((start) => svgOf(many).includes(start));
    expect([drawn, has]).toEqual([1_000, [true, false, true]]);
    expect([...svgOf(Array.from({ length: 1_001 }, (_, tier) => span(2, 3, { tier }))).matchAll(/span /g)]).toEqual([]);
  });
});
