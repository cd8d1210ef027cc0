import type { Chart, Span } from '../../../src/tapes/diagram/chart';
import type { Axis } from '../../../src/tapes/drawing/layout';
import { marblesSvg, rulerSvg, spansSvg, wiresSvg } from '../../../src/tapes/drawing/rowSvg';
import { chartOf, lane, layoutOf, marble, rowsOf } from './charts';

const marbles = Array.from({ length: 15 }, () => marble());
const lanes = [lane('request'), lane('answer'), lane('log')];

/** The wires of a row: what is at the end of each. */
const endsOf = (ends: Chart['ends'], row: number) =>
  [
    ...wiresSvg(chartOf({ lanes, marbles, ends }), layoutOf(), row).matchAll(
      /<\/text>((?:<path class="(?:wire|tip|stop)" [^>]*>)*)/g,
    ),
  ].map(([, paths]) => [...(paths ?? '').matchAll(/class="(\w+)" d="([^"]*)"/g)].map(([, kind, d]) => `${kind} ${d}`));
const goesOn = (y: number, toX: number) => [`wire M154 ${y}H${toX}`, `tip M${toX + 9} ${y}l-10-4.5v9z`];
const ended = (y: number, toX: number) => [`wire M154 ${y}H${toX}`, `stop M${toX} ${y - 10}v20`];
const closes = (svg: string) => /class="close" d="([^"]*)"/.exec(svg)?.[1];

describe('wiresSvg', () => {
  it('goes on to the next row, and one step after the last marble', () => {
    expect(endsOf({}, 0)).toEqual([goesOn(40, 110), goesOn(80, 110), goesOn(120, 110)]);
    expect(endsOf({}, 1)).toEqual([goesOn(40, 66), goesOn(80, 66), goesOn(120, 66)]);
  });

  it('ends where the server does, its log excepted, and the input where the client does', () => {
    const ends = { client: 2, server: 7 };
    expect(endsOf(ends, 0)).toEqual([ended(40, 20), ended(80, 70), goesOn(120, 110)]);
    expect(endsOf(ends, 1)).toEqual([[], [], goesOn(120, 66)]);
  });

  it('draws one line through the lanes of the server where it ends, in that row', () => {
    const svgOf = (ends: Chart['ends'], row: number) => wiresSvg(chartOf({ lanes, marbles, ends }), layoutOf(), row);
    expect(closes(svgOf({ server: 12 }, 1))).toBe('M20 70V120');
    expect([closes(svgOf({ server: 12 }, 0)), closes(svgOf({ client: 12 }, 1))]).toEqual([undefined, undefined]);
  });

  it('leaves out lanes that the row does not have', () => {
    const rows = [{ top: 0, height: 100, laneY: new Map([[1, 40]]) }];
    expect([...wiresSvg(chartOf({ lanes }), layoutOf({ rows }), 0).matchAll(/class="wire"/g)]).toHaveLength(1);
  });

  it('has the name of each lane, cut where it is wider than the gutter, with the whole as its tooltip', () => {
    const svg = wiresSvg(
      chartOf({ lanes: [lane('request', 'a<b'), lane('answer', 'x'.repeat(20)), lane('log')] }),
      layoutOf(),
      0,
    );
    expect(
      [...svg.matchAll(/<circle class="([^"]*)"[^>]*><text [^>]*><title>([^<]*)<\/title>([^<]*)/g)].map((m) =>
        m.slice(1),
      ),
    ).toEqual([
      ['m request', 'a&lt;b', 'a&lt;b'],
      ['m answer', 'x'.repeat(20), `${'x'.repeat(17)}…`],
      ['m log', 'log', 'log'],
    ]);
  });
});

describe('marblesSvg', () => {
  const cluster = (first: number, own: object = {}) => ({
    lane: 0,
    x: 0,
    first,
    last: first,
    count: 1,
    bad: 0,
    ...own,
  });
  const groupsOf = (clusters: ReturnType<typeof cluster>[], row: number, chart: Partial<Chart> = {}) =>
    [
      ...marblesSvg(chartOf({ marbles, lanes, ...chart }), layoutOf({ clusters }), row).matchAll(
        /<g class="([^"]*)" transform="([^"]*)">/g,
      ),
    ].map(([, group, at]) => `${group} ${at}`);

  it('has the marbles of its row, each on its lane', () => {
    const clusters = [cluster(3), cluster(4, { lane: 1 }), cluster(12), cluster(5, { lane: 9 })];
    expect(groupsOf(clusters, 0)).toEqual(['request translate(30 40)', 'answer translate(40 80)']);
    expect(groupsOf(clusters, 1)).toEqual(['request translate(20 40)']);
  });

  it('is red for an error, and for a cluster of errors only', () => {
    const failing = [marble({ mark: 'error' }), ...marbles];
    const clusters = [
      cluster(0, { bad: 1 }),
      cluster(1),
      cluster(2, { bad: 1, count: 2 }),
      cluster(3, { bad: 2, count: 2 }),
    ];
    expect(groupsOf(clusters, 0, { marbles: failing })).toEqual([
      'request bad translate(0 40)',
      'request translate(10 40)',
      'request translate(20 40)',
      'request bad translate(30 40)',
    ]);
  });

  it('names marbles where there is room to the next of the lane', () => {
    const svg = marblesSvg(
      chartOf({ marbles, lanes }),
      layoutOf({ clusters: [cluster(0), cluster(6), cluster(7)] }),
      0,
    );
    expect([...svg.matchAll(/class="b"[^>]*>([^<]*)</g)].map(([, name]) => name)).toEqual(['ping', 'ping']);
  });

  it('has no name across the bar where a lane ends', () => {
    const layout = layoutOf({ clusters: [cluster(6)], endX: 200 });
    const xsOf = (ends: Chart['ends']) =>
      [...marblesSvg(chartOf({ marbles, lanes, ends }), layout, 0).matchAll(/class="b" x="([^"]*)"/g)].map(
        ([, x]) => x,
      );
    expect([xsOf({}), xsOf({ client: 8 })]).toEqual([['13'], ['33']]);
  });
});

/** The times of a row: kind, place and text of each. */
const timesOf = (atMs: number[], axis: Axis, row = 0, perColumn = 1) => {
  const marbles = atMs.map((ms) => marble({ atMs: ms }));
  const svg = rulerSvg(chartOf({ marbles }), layoutOf({ perColumn }), { row, axis });
  return [...svg.matchAll(/<path class="(\w+)" d="M(-?\d+) 20V182"\/><text [^>]*>([^<]*)<\/text>/g)].map(
    ([, kind, x, text]) => `${kind} ${x} ${text}`,
  );
};

describe('rulerSvg', () => {
  it('writes the pauses of 200 ms and more, where there is room', () => {
    expect(timesOf([0, 199, 399, 500, 1_500], 'ordinal')).toEqual(['pause 7 + 200 ms']);
    expect(timesOf([0, 100, 200, 300, 400, 500, 600, 700, 800, 2_000], 'ordinal')).toEqual(['pause 77 + 1.2 s']);
    expect(
      timesOf(
        Array.from({ length: 10 }, (_, i) => i * 1_000),
        'ordinal',
      ),
    ).toEqual(['pause -3 + 1 s', 'pause 67 + 1 s']);
  });

  it('writes no pause within a column that several marbles share', () => {
    expect(timesOf([0, 1_000, 1_001], 'ordinal', 0, 2)).toEqual([]);
    expect(timesOf([0, 1, 1_001], 'ordinal', 0, 2)).toHaveLength(1);
  });

  it('measures a pause from the end of the marble before', () => {
    const marbles = [marble({ atMs: 0, untilMs: 900 }), marble({ atMs: 1_000 })];
    expect(rulerSvg(chartOf({ marbles }), layoutOf(), { row: 0, axis: 'ordinal' })).toBe('');
  });

  it('writes the marks of the clock of its row', () => {
    const first = timesOf([0, 16_000], 'linear', 0);
    expect([first[0], first.length, timesOf([0, 16_000], 'linear', 1)[0]]).toEqual(['tick 0 0 ms', 10, 'tick 0 10 s']);
  });

  it('takes a session without marbles', () => {
    expect([timesOf([], 'ordinal'), timesOf([], 'linear')[0]]).toEqual([[], 'tick 0 0 ms']);
  });
});

describe('spansSvg', () => {
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
