import { NO_FILTER } from '../../../src/tapes/page/state';
import { toOverview, toTrack } from '../../../src/tapes/page/track';
import { modelOf } from './model';

const model = modelOf([{ count: 9 }, { lane: 1 }, {}, { mark: 1 }, {}, {}, {}, { lane: 1, mark: 1 }]);
const overviewOf = (hits: number[], bars: number, filter = NO_FILTER) =>
  toOverview(model, { track: toTrack(model, filter, 'ordinal'), hits }, bars);

describe('toOverview', () => {
  it('has the strength of each lane by bar, where errors and where hits are', () => {
    const { levels, bad, found } = overviewOf([4], 4);
    expect([...levels].map(([lane, own]) => [lane, [...own]])).toEqual([
      [0, [3, 2, 2, 1]],
      [1, [3, 0, 0, 3]],
    ]);
    expect([[...bad], [...found]]).toEqual([
      [0, 1, 0, 1],
      [0, 0, 1, 0],
    ]);
  });

  it('leaves out lanes that are hidden', () => {
    const { levels, bad } = overviewOf([], 2, { lanes: new Set([1]), threads: new Set() });
    expect([[...levels.keys()], [...bad]]).toEqual([[0], [1, 0]]);
  });

  it('is empty for a session without marbles', () => {
    const none = modelOf([]);
    expect(toOverview(none, { track: toTrack(none, NO_FILTER, 'linear'), hits: [] }, 3).levels.size).toBe(0);
  });
});
