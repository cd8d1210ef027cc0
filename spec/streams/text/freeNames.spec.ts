import fc from 'fast-check';
import { withFreeNames } from '../../../src/streams/text/freeNames';

describe('withFreeNames', () => {
  it('numbers a name that is taken, or that an earlier entry has', () => {
    const entries: [string, number][] = [
      ['a', 1],
      ['a', 2],
      ['b', 3],
      ['a_2', 4],
    ];
    expect(withFreeNames(entries, { b: 'taken' })).toEqual({ a: 1, a_2: 2, b_2: 3, a_2_2: 4 });
  });

  it('keeps every entry, and takes no name that is taken', () => {
    const word = fc.constantFrom('a', 'a_2', 'a_3', 'b');
    fc.assert(
      fc.property(fc.array(word), fc.array(word), (names, taken) => {
        const others = Object.fromEntries(taken.map((name) => [name, true]));
        const named = withFreeNames(
          names.map((name, at): [string, number] => [name, at]),
          others,
        );
        expect(Object.values(named).sort((a, b) => a - b)).toEqual(names.map((_, at) => at));
        expect(Object.keys(named).filter((name) => Object.hasOwn(others, name))).toEqual([]);
      }),
    );
  });
});
