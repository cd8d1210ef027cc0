import fc from 'fast-check';
import { itemAt, itemsOf, type SparseArray, withItem } from '../../src/replay/sparseArray';

const writes = fc.array(fc.tuple(fc.nat(1_000), fc.option(fc.nat(), { nil: undefined })));

describe('a sparse array', () => {
  it('has what was last written at each index, as a map has', () => {
    fc.assert(
      fc.property(writes, (all) => {
        const array = all.reduce<SparseArray<number>>((before, [index, item]) => withItem(before, index, item), []);
        const map = new Map(all);
        const indices = [...map.keys()].toSorted((a, b) => a - b);
        expect(indices.map((index) => itemAt(array, index))).toEqual(indices.map((index) => map.get(index)));
        expect(itemsOf(array)).toEqual(indices.flatMap((index) => map.get(index) ?? []));
      }),
    );
  });

  it('does not change when an item is written to it', () => {
    const before = withItem<string>([], 300, 'a');
    const after = withItem(before, 300, 'b');
    expect([itemAt(before, 300), itemAt(after, 300)]).toEqual(['a', 'b']);
  });

  it('has nothing where nothing was written', () => {
    expect([itemAt([], 0), itemAt([], 10_000), itemAt(withItem<string>([], 1, 'a'), 0)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(itemsOf([])).toEqual([]);
  });
});
