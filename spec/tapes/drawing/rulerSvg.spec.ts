import type { Axis } from '../../../src/tapes/drawing/layout';
import { rulerSvg } from '../../../src/tapes/drawing/rulerSvg';
import { chartOf, layoutOf, marble } from './charts';

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
