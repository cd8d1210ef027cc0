import type { Chart } from '../../../src/diagram/chart';
import { marblesSvg, wiresSvg } from '../../../src/diagram/svg/rowSvg';
import { chartOf, lane, layoutOf, marble } from './charts';

const marbles = Array.from({ length: 15 }, () => marble());
const lanes = [lane('request'), lane('answer'), lane('log')];

/** The wires of a row: what is at the end of each. */
const endsOf = (ends: Chart['ends'], row: number) =>
  [...wiresSvg(chartOf({ lanes, marbles, ends }), layoutOf(), row).matchAll(/<\/text>((?:<path [^>]*>)*)/g)].map(
    ([, paths]) => [...(paths ?? '').matchAll(/class="(\w+)" d="([^"]*)"/g)].map(([, kind, d]) => `${kind} ${d}`),
  );
const goesOn = (y: number, toX: number) => [`wire M154 ${y}H${toX}`, `tip M${toX + 9} ${y}l-10-4.5v9z`];
const ended = (y: number, toX: number) => [`wire M154 ${y}H${toX}`, `stop M${toX} ${y - 10}v20`];
const failed = (y: number, toX: number) => [`wire M154 ${y}H${toX}`, `x M${toX - 6} ${y - 6}l12 12m0-12l-12 12`];

describe('wiresSvg', () => {
  it('goes on to the next row, and one step behind the last marble', () => {
    expect(endsOf({ ok: true }, 0)).toEqual([goesOn(40, 110), goesOn(80, 110), goesOn(120, 110)]);
    expect(endsOf({ ok: true }, 1)).toEqual([goesOn(40, 66), goesOn(80, 66), goesOn(120, 66)]);
  });

  it('ends where the server does, its log excepted, and the input where the client does', () => {
    const ends = { client: 2, server: 7, ok: true };
    expect(endsOf(ends, 0)).toEqual([ended(40, 20), ended(80, 70), goesOn(120, 110)]);
    expect(endsOf(ends, 1)).toEqual([[], [], []]);
  });

  it('fails where the server does, without the client', () => {
    expect(endsOf({ server: 12, ok: false }, 1)).toEqual([ended(40, 20), failed(80, 20), goesOn(120, 66)]);
  });

  it('has the name of each lane, cut, with the whole as its tooltip', () => {
    const svg = wiresSvg(chartOf({ lanes: [lane('request', 'a<b'), lane('answer', 'x'.repeat(20))] }), layoutOf(), 0);
    expect(
      [...svg.matchAll(/<circle class="([^"]*)"[^>]*><text [^>]*><title>([^<]*)<\/title>([^<]*)/g)].map((m) =>
        m.slice(1),
      ),
    ).toEqual([
      ['m request', 'a&lt;b', 'a&lt;b'],
      ['m answer', 'x'.repeat(20), `${'x'.repeat(18)}…`],
    ]);
  });
});

describe('marblesSvg', () => {
  const pile = (first: number, own: object = {}) => ({
    lane: 0,
    x: 0,
    first,
    last: first,
    count: 1,
    bad: false,
    ...own,
  });
  const groupsOf = (piles: ReturnType<typeof pile>[], row: number, chart: Partial<Chart> = {}) =>
    [
      ...marblesSvg(chartOf({ marbles, lanes, ...chart }), layoutOf({ piles }), row).matchAll(
        /<g class="([^"]*)" transform="([^"]*)">/g,
      ),
    ].map(([, group, at]) => `${group} ${at}`);

  it('has the marbles of its row, each on its lane', () => {
    const piles = [pile(3), pile(4, { lane: 1 }), pile(12), pile(5, { lane: 9 })];
    expect(groupsOf(piles, 0)).toEqual(['request translate(30 40)', 'answer translate(40 80)']);
    expect(groupsOf(piles, 1)).toEqual(['request translate(20 40)']);
  });

  it('marks an error, and a pile with one', () => {
    const failing = [marble({ mark: 'error' }), marble(), marble()];
    const piles = [pile(0, { bad: true }), pile(1, { bad: true }), pile(2, { bad: true, count: 2 })];
    expect(groupsOf(piles, 0, { marbles: failing })).toEqual([
      'request bad translate(0 40)',
      'request translate(10 40)',
      'request bad translate(20 40)',
    ]);
  });
});
