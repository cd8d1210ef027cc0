import fc from 'fast-check';
import { diffJson, toDifferenceText } from '../../src/marbles/diffJson';

describe('diffJson', () => {
  it('names each place that differs', () => {
    const [before, now] = [
      { a: [1, { b: 2 }], c: 3, gone: 4 },
      { a: [1, { b: 5 }, 6], c: 3, came: null },
    ];
    expect(diffJson(before, now, 'params').map(toDifferenceText)).toEqual([
      'params.a[1].b: recorded 2, now 5',
      'params.a[2]: recorded nothing, now 6',
      'params.gone: recorded 4, now nothing',
      'params.came: recorded nothing, now null',
    ]);
  });

  it('quotes a member with blanks or characters that are not seen', () => {
    expect(diffJson({}, { 'a\nb': { 'c d': 1 } }, 'x').map(({ path }) => path)).toEqual(['x["a\\nb"]']);
    expect(diffJson({ 'c d': 2 }, { 'c d': 1 }, 'x').map(({ path }) => path)).toEqual(['x["c d"]']);
  });

  it('finds nothing between a value and its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(diffJson(value, structuredClone(value), 'x')).toEqual([])));
  });

  it('finds something between values that are not equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        if (!same && diffJson(a, b, 'x').length === 0) expect(a).toEqual(b);
      }),
    );
  });
});
