import fc from 'fast-check';
import { itemAt, itemsOf, type SparseArray, withItem } from '../../../src/tapes/session/sparseArray';

describe('SparseArray', () => {
  it('holds what was set last at each index, as a map does', () => {
    const updates = fc.array(fc.tuple(fc.nat(2000), fc.option(fc.nat(), { nil: undefined })));
    fc.assert(
      fc.property(updates, fc.nat(2000), (sets, index) => {
        const array = sets.reduce<SparseArray<number>>((before, [at, item]) => withItem(before, at, item), []);
        const map = new Map(sets);
        expect(itemAt(array, index)).toBe(map.get(index));
        const inOrder = [...map].sort(([a], [b]) => a - b).flatMap(([, item]) => item ?? []);
        expect(itemsOf(array)).toEqual(inOrder);
      }),
    );
  });

  it('leaves the array as it was that an update is made from', () => {
    const before = withItem<string>([], 300, 'a');
    withItem(before, 300, 'b');
    withItem(before, 1, 'c');
    expect([itemAt(before, 300), itemAt(before, 1)]).toEqual(['a', undefined]);
  });
});
