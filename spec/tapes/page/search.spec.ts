import { search } from '../../../src/tapes/page/reduce';
import { modelOf } from './model';

const model = modelOf([{ text: 'Alpha' }, { lane: 1, text: 'beta' }, { text: 'gamma' }]);
const all = Int32Array.from([0, 1, 2]);

describe('search', () => {
  it.each([
    ['alpha', [0]],
    ['A', [0, 1, 2]],
    ['pong', [1]],
    ['delta', []],
    ['', []],
  ])('finds %j in names and lines, whatever its case', (query, hits) => {
    expect(search(model, all, query)).toEqual(hits);
  });

  it('finds only marbles that are shown', () => {
    expect(search(model, Int32Array.from([2]), 'a')).toEqual([2]);
  });
});
