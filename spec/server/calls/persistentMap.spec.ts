import fc from 'fast-check';
import { emptyMap, getValue, valuesOf, withoutKey, withValue } from '../../../src/server/calls/persistentMap';

describe('persistentMap', () => {
  it('holds what a Map holds after the same changes', () => {
    const change = fc.record({ key: fc.string({ maxLength: 2 }), value: fc.option(fc.nat(), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const expected = new Map<string, number>();
        let map = emptyMap<number>();
        for (const { key, value } of changes) {
          if (value === undefined) expected.delete(key);
          else expected.set(key, value);
          map = value === undefined ? withoutKey(map, key) : withValue(map, key, value);
        }
        expect(valuesOf(map).sort()).toEqual([...expected.values()].sort());
        for (const { key } of changes) expect(getValue(map, key)).toBe(expected.get(key));
      }),
    );
  });

  it('leaves the old map as it was', () => {
    const one = withValue(emptyMap<number>(), 'a', 1);
    withValue(one, 'a', 2);
    withValue(one, 'b', 2);
    withoutKey(one, 'a');
    expect(valuesOf(one)).toEqual([1]);
  });

  it('equals a new map once its entries are gone', () => {
    expect(withoutKey(withValue(emptyMap<number>(), 'a', 1), 'a')).toEqual(emptyMap());
  });

  it('stays the same without a key that it does not have', () => {
    const one = withValue(emptyMap<number>(), 'a', 1);
    expect(withoutKey(one, 'b')).toBe(one);
  });

  it.each([
    ['that count', (n: number) => n.toString(16).padStart(4, '0')],
    ['of a turn and a call in it', (n: number) => `call_${n >> 2}_${n & 3}`],
    ['whose ends are alike', (n: number) => `${n}_of_one_process`],
  ])('spreads ids over its buckets %s', (_, toId) => {
    const ids = Array.from({ length: 1_000 }, (_, n) => toId(n));
    const map = ids.reduce((before, id) => withValue(before, id, id), emptyMap<string>());
    expect(Math.max(...map.flatMap((row) => row?.map((bucket) => bucket?.size ?? 0) ?? []))).toBeLessThan(8);
  });
});
