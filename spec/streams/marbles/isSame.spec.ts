import fc from 'fast-check';
import { isSame } from '../../../src/streams/marbles/isSame';

describe('isSame', () => {
  it.each([
    [new Map([[1, 2]]), new Map([[1, 2]])],
    [new Uint8Array([1]), new Uint8Array([1])],
    [{ a: undefined }, {}],
    [new Error('a'), new Error('a')],
    [Object.assign(new Error('a'), { code: 1, path: '/' }), Object.assign(new Error('a'), { code: 1 })],
    [Number.NaN, Number.NaN],
    [{ a: 1 }, { a: expect.any(Number) }],
    ['text', expect.stringContaining('ex')],
  ])('is true for %p and %p', (actual, expected) => {
    expect(isSame(actual, expected)).toBe(true);
  });

  it.each([
    [new Map([[1, 2]]), new Map([[1, 3]])],
    [new Uint8Array([1]), new Uint8Array([2])],
    [[1], [1, 2]],
    [{ a: 1 }, null],
    [new Error('a'), new Error('b')],
    [new Error('a'), new TypeError('a')],
    [Object.assign(new Error('a'), { code: 1 }), Object.assign(new Error('a'), { code: 2 })],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { a: expect.any(String) }],
    [undefined, expect.anything()],
  ])('is false for %p and %p', (actual, expected) => {
    expect(isSame(actual, expected)).toBe(false);
  });

  it('is true for a JSON value and its copy', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(isSame(value, structuredClone(value))).toBe(true)));
  });
});
