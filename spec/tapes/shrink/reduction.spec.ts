import fc from 'fast-check';
import { afterTrial, candidateOf, type Reduction, startReduction } from '../../../src/tapes/shrink/reduction';

const reduced = (items: readonly number[], fails: (items: readonly number[]) => boolean): readonly number[] => {
  let state: Reduction<number> = startReduction(items);
  for (let runs = 0; runs < 10_000; runs += 1) {
    const candidate = candidateOf(state);
    if (candidate === undefined) return state.items;
    state = afterTrial(state, fails(candidate) ? 'fails' : 'passes');
  }
  throw new Error('it does not end');
};
const items = Array.from({ length: 50 }, (_, i) => i);

describe('a reduction', () => {
  it('finds the few items that are needed', () => {
    expect(reduced(items, (some) => some.includes(3) && some.includes(41))).toEqual([3, 41]);
    expect(reduced(items, (some) => some.includes(7))).toEqual([7]);
  });

  it('leaves out all where none is needed, and nothing of an empty list', () => {
    expect(reduced(items, () => true)).toEqual([]);
    expect(candidateOf(startReduction([]))).toBeUndefined();
  });

  it('keeps all where each is needed', () => {
    expect(reduced(items, (some) => some.length === 50)).toEqual(items);
  });

  it('ends with a list that fails, of which no single item can be left out', () => {
    const needed = fc.subarray(items.slice(0, 20), { minLength: 1 });
    fc.assert(
      fc.property(needed, (wanted) => {
        const fails = (some: readonly number[]) => wanted.every((one) => some.includes(one));
        expect(reduced(items.slice(0, 20), fails)).toEqual(wanted);
      }),
    );
  });
});
