import fc from 'fast-check';
import {
  isObject,
  isTooDeep,
  MAX_LEVELS,
  mayBeTooDeep,
  ownOf,
  parseJson,
  parseObject,
  toJson,
  withoutUndefined,
  wordOf,
} from '../../../src/protocol/jsonrpc/json';

describe('wordOf', () => {
  it.each([
    ['text', 'text'],
    [1, '1'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ toString: 1, valueOf: 2 }, '{"toString":1,"valueOf":2}'],
    [[{ toString: 1 }], '[{"toString":1}]'],
  ])('%j is the text %s', (value, text) => {
    expect(wordOf(value)).toBe(text);
  });
});

describe('isObject', () => {
  it.each([
    [{}, true],
    [{ a: 1 }, true],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [7, false],
  ])('of %j is %j', (value, expected) => {
    expect(isObject(value)).toBe(expected);
  });
});

describe('parseJson', () => {
  it('reads any value of JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(text);
      }),
    );
  });

  it.each([[''], ['{"a":1'], ['undefined'], ['not JSON']])('gives undefined for %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });
});

describe('parseObject', () => {
  it.each([
    ['an object  ', '{"a":[1]}', { a: [1] }],
    ['an empty one', ' {} ', {}],
    ['null       ', 'null', undefined],
    ['a list     ', '[{}]', undefined],
    ['a text     ', '"{}"', undefined],
    ['a number   ', '1', undefined],
    ['a cut line ', '{"a":1', undefined],
    ['no text    ', '', undefined],
  ])('reads %s: %s', (_, text, object) => {
    expect(parseObject(text)).toEqual(object);
  });
});

const lists = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('isTooDeep', () => {
  it.each([lists, objects])('counts the levels of lists and objects', (nested) => {
    expect([MAX_LEVELS, MAX_LEVELS + 1, 100_000].map((levels) => isTooDeep(JSON.parse(nested(levels))))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('looks behind what is shallow', () => {
    expect(isTooDeep(JSON.parse(`{"a":[1,"x",null],"b":{"c":${lists(MAX_LEVELS)}}}`))).toBe(true);
  });

  it('is false for a value that is no list and no object', () => {
    expect([null, 1, 'x', true, undefined].map((value) => isTooDeep(value))).toEqual(Array(5).fill(false));
  });
});

describe('mayBeTooDeep', () => {
  it('is true for each text whose value is', () => {
    const levels = fc.integer({ min: 1, max: 2 * MAX_LEVELS });
    fc.assert(
      fc.property(levels, fc.constantFrom(lists, objects), (levels, nested) => {
        const text = nested(levels);
        return mayBeTooDeep(text) || !isTooDeep(JSON.parse(text));
      }),
    );
  });
});

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

describe('withoutUndefined', () => {
  it('leaves out members that are undefined, and no others', () => {
    const found = withoutUndefined({ a: undefined, b: null, c: '', d: 0, e: false, f: { g: undefined } });
    expect(found).toStrictEqual({ b: null, c: '', d: 0, e: false, f: { g: undefined } });
  });
});

describe('ownOf', () => {
  it('knows the names of its table only', () => {
    expect(['a', 'b', 'constructor', '__proto__'].map((name) => ownOf({ a: 1 }, name))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
