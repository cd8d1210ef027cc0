import type { Span } from '../../../src/tapes/diagram/chart';
import { toSpans, withTiers } from '../../../src/tapes/diagram/toChart';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const span = (from: number, to?: number): Span => ({ from, outcome: 'open', tier: 0, ...(to !== undefined && { to }) });

describe('toSpans', () => {
  it('goes from each request to its response, else to its cancel, at their marbles', () => {
    const index = toSessionIndex(
      sessionFrom(
        [0, 'in', { id: 1, method: 'a' }],
        [1, 'in', { id: 2, method: 'b' }],
        [2, 'in', { id: 3, method: 'c' }],
        [3, 'in', { method: 'notifications/cancelled', params: { requestId: 2 } }],
        [4, 'out', { id: 1, result: {} }],
      ),
    );
    expect(toSpans(index, { ofMessage: [10, 11, 12, 13, 14], ofEntry: [] })).toEqual([
      { from: 10, to: 14, outcome: 'answered', tier: 0 },
      { from: 11, to: 13, outcome: 'cancelled', tier: 0 },
      { from: 12, outcome: 'open', tier: 0 },
    ]);
  });

  it('has the calls at inner seams among the others, by their requests', () => {
    const { entries } = sessionFrom([0, 'in', '{}'], [1, 'in', { id: 1, method: 'a' }], [2, 'note', 'failed: no']);
    const withSeam = entries.map((one, i) =>
      i === 1 ? one : { ...one, entry: { ...one.entry, seam: 'model', call: 1 } },
    );
    const index = toSessionIndex({ meta: {}, entries: withSeam });
    expect(toSpans(index, { ofMessage: [1], ofEntry: [0, 1, 2] })).toEqual([
      { from: 0, to: 2, outcome: 'failed', tier: 0 },
      { from: 1, outcome: 'open', tier: 0 },
    ]);
  });
});

describe('withTiers', () => {
  const tiers = (spans: Span[], laneOf = (_: number) => 0): number[] =>
    withTiers(spans, laneOf).map(({ tier }) => tier);

  it('gives spans of one lane that overlap the lowest tier that is free', () => {
    expect(tiers([span(0, 5), span(1, 2), span(3, 4), span(6)])).toEqual([0, 1, 1, 0]);
    expect(tiers([span(0, 5), span(1, 5)], (marble) => marble)).toEqual([0, 0]);
  });

  it('draws more than four over each other', () => {
    expect(tiers([span(0), span(1), span(2), span(3), span(4), span(5)])).toEqual([0, 1, 2, 3, 3, 3]);
  });
});
