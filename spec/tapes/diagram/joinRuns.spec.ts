import type { Drawn } from '../../../src/tapes/diagram/chart';
import { joinRuns } from '../../../src/tapes/diagram/toChart';

const drawn = (entry: number, run?: string, more: Partial<Drawn> = {}): Drawn => ({
  look: { group: 'event', key: 'k', name: 'n', mark: 'plain', sign: { kind: 'fixed', text: '#' }, ...(run && { run }) },
  ...{ entry, t: entry * 10 },
  ...more,
});

const counts = (...all: Drawn[]): number[] => joinRuns(all).runs.map(({ count }) => count);

describe('joinRuns', () => {
  it('joins consecutive looks of one run, and maps each to its row', () => {
    const all = [drawn(0), drawn(1, 'a'), drawn(2, 'a', { thread: 1 }), drawn(3, 'b'), drawn(4, 'a')];
    expect(joinRuns(all)).toEqual({
      runs: [
        { first: all[0], atMs: 0, untilMs: 0, count: 1, thread: undefined },
        { first: all[1], atMs: 10, untilMs: 20, count: 2, thread: 1 },
        { first: all[3], atMs: 30, untilMs: 30, count: 1, thread: undefined },
        { first: all[4], atMs: 40, untilMs: 40, count: 1, thread: undefined },
      ],
      runOf: [0, 1, 1, 2, 3],
    });
  });

  it('joins nothing without a run, of another group, or of a batch', () => {
    expect(counts(drawn(0), drawn(1))).toEqual([1, 1]);
    const other = drawn(1, 'a');
    expect(counts(drawn(0, 'a'), { ...other, look: { ...other.look, group: 'model' } })).toEqual([1, 1]);
    expect(counts(drawn(0, 'a', { part: 0 }), drawn(0, 'a', { part: 1 }), drawn(1, 'a'))).toEqual([1, 1, 1]);
  });

  it('never goes back in time', () => {
    const { runs } = joinRuns([drawn(0, 'a', { t: 5 }), drawn(1, 'a', { t: 3 }), drawn(2, undefined, { t: 1 })]);
    expect(runs.map(({ atMs, untilMs }) => [atMs, untilMs])).toEqual([
      [5, 5],
      [5, 5],
    ]);
  });
});
