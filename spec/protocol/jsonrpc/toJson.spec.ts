import fc from 'fast-check';
import { toJson } from '../../../src/protocol/jsonrpc/toJson';

describe('toJson', () => {
  it.each([
    [{ a: [1n, { b: -(2n ** 63n) }], c: 'x' }, '{"a":[1,{"b":-9223372036854775808}],"c":"x"}'],
    [2n ** 64n, '18446744073709551616'],
    [{ a: 'x', b: [null, true, 0.5] }, '{"a":"x","b":[null,true,0.5]}'],
    [
      { a: undefined, b: 1n, c: [undefined, () => 0], d: Symbol('d'), e: Number.NaN },
      '{"b":1,"c":[null,null],"e":null}',
    ],
    [{ at: new Date(0), by: 1n }, '{"at":"1970-01-01T00:00:00.000Z","by":1}'],
    [{ '\u000012\u0000': '\u000034\u0000', '"': 1n }, '{"\\u000012\\u0000":"\\u000034\\u0000","\\"":1}'],
    [JSON.parse('{"__proto__":{"a":1},"b":0}'), '{"__proto__":{"a":1},"b":0}'],
  ])('writes %#', (value, text) => {
    expect(toJson(value)).toBe(text);
  });

  it('throws what cannot be written: a circle', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => toJson(circle)).toThrow(TypeError);
  });

  it('writes all else as JSON.stringify does, also beside a bigint', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toJson(value)).toBe(JSON.stringify(value));
        expect(toJson([value, 1n])).toBe(`[${JSON.stringify(value)},1]`);
      }),
    );
  });
});
