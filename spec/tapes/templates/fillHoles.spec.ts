import fc from 'fast-check';
import { fillHoles, fitsHoles, toNamedHole, withHoleValues } from '../../../src/tapes/templates/fillHoles';

const UUID = '0b0e7a3c-1111-4222-8333-444455556666';
const OTHER = '0b0e7a3c-1111-4222-8333-44445555ffff';

describe('isFilledBy', () => {
  it.each([
    ['<uuid>', UUID],
    ['thread <uuid> of <tmp>/y', `thread ${UUID} of /tmp/x/y`],
    ['<time>', '2026-01-02T03:04:05.678Z'],
    ['<time>', 1700000000],
    ['in <home>/work', 'in /home/ada/work'],
    ['<duration>', { secs: 1, nanos: 2 }],
    ['<token>', 'abc'],
    ['<anything>', null],
    ['[redacted]', 'sk-123'],
    ['key [redacted] of x', 'key sk-1 of x'],
    ['<time>', '<time>'],
    [
      [1, '<id>'],
      [1, 7],
    ],
    [
      { b: 1, a: '<id>' },
      { a: 'x', b: 1 },
    ],
    [{ a: expect.any(Number) }, { a: 5 }],
  ])('fits %j to %j', (expected, actual) => {
    expect(fitsHoles(expected, actual, new Map())).toBe(true);
  });

  it.each([
    ['<uuid>', 'no uuid'],
    ['<time>', null],
    ['<time> x', 'soon x'],
    ['a.c', 'abc'],
    ['<anything>', undefined],
    [[1], [1, 2]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: '<token>' }, {}],
    [{ a: expect.any(Number) }, { a: 'x' }],
    [{ a: [] }, { a: {} }],
  ])('does not fit %j to %j', (expected, actual) => {
    expect(fitsHoles(expected, actual, new Map())).toBe(false);
  });

  it('does not write what a matcher takes as text, which may be many megabytes', () => {
    const result = {
      get tools(): never {
        throw new Error('read');
      },
    };
    expect(fitsHoles({ asymmetricMatch: () => true }, result, new Map())).toBe(true);
  });

  it('takes one text for one number, in one message and from then on', () => {
    const known = new Map<string, string>();
    const expected = { id: '<uuid 1>', text: 'is <uuid 1>, not <uuid 2>' };
    expect(fitsHoles(expected, { id: UUID, text: `is ${OTHER}, not ${UUID}` }, known)).toBe(false);
    expect(known.size).toBe(0);
    expect(fitsHoles(expected, { id: UUID, text: `is ${UUID}, not ${OTHER}` }, known)).toBe(true);
    expect(fitsHoles('<uuid 2>', UUID, known)).toBe(false);
    expect(withHoleValues('{"a":"<uuid 2>"}', known)).toBe(`{"a":"${OTHER}"}`);
    expect(withHoleValues('{"a":"<uuid 3>"}', known)).toBeUndefined();
  });

  it('puts a token into JSON as JSON has it', () => {
    const known = new Map([['<token 1>', 'a"b\\']]);
    expect(JSON.parse(withHoleValues('{"a":"<token 1>"}', known) ?? '')).toEqual({ a: 'a"b\\' });
  });

  it('fits any value to itself', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => fitsHoles(value, structuredClone(value), new Map())));
  });
});

describe('filled', () => {
  it('leaves what does not fit', () => {
    const actual = { a: UUID, b: 'x', c: 3 };
    expect(fillHoles({ a: '<uuid>', b: '<uuid>', d: 4 }, actual, new Map())).toEqual({ a: UUID, b: '<uuid>', d: 4 });
  });
});

const any = toNamedHole('any', 'x');
const number = toNamedHole('number', 'n');
const string = toNamedHole('string', 's');

describe('toNamedHole', () => {
  it.each<[unknown, unknown]>([
    [string, 'a b'],
    [number, -1.5e-7],
    [any, null],
    [any, false],
    [any, 'text'],
    [`is ${string}, ${number}`, 'is a1, 42'],
    [
      { id: string, text: `made ${string}.` },
      { id: 'a1', text: 'made a1.' },
    ],
    [
      { row: number, text: `row ${number}` },
      { row: 7, text: 'row 7' },
    ],
    [
      { text: `row ${number}`, row: number },
      { text: 'row 7', row: 7 },
    ],
  ])('%j takes %j', (expected, actual) => {
    expect(fitsHoles(expected, actual, new Map())).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [string, 7],
    [number, '7'],
    [any, {}],
    [any, undefined],
    [`row ${number}`, 'row seven'],
    [`is ${string}`, 'is "a"'],
    [
      { id: string, text: `made ${string}.` },
      { id: 'a1', text: 'made a2.' },
    ],
    [
      [number, number],
      [7, 8],
    ],
  ])('%j does not take %j', (expected, actual) => {
    expect(fitsHoles(expected, actual, new Map())).toBe(false);
  });

  it('is filled with the value that came, as the kind of each place', () => {
    const known = new Map<string, string>();
    expect(fitsHoles({ s: string, n: `no ${number}`, x: any }, { s: 'a"b', n: 'no 7', x: null }, known)).toBe(true);
    const line = JSON.stringify({ s: string, text: `${string} and ${number}`, n: number, x: any });
    expect(JSON.parse(withHoleValues(line, known) ?? '')).toEqual({ s: 'a"b', text: 'a"b and 7', n: 7, x: null });
  });

  it('leaves no line for a value that has not come', () => {
    expect(withHoleValues(JSON.stringify({ s: string }), new Map())).toBeUndefined();
  });

  it('gives back any scalar that it took', () => {
    const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    fc.assert(
      fc.property(scalar, (value) => {
        const known = new Map<string, string>();
        expect(fitsHoles({ x: any }, { x: value }, known)).toBe(true);
        expect(withHoleValues(JSON.stringify({ x: any }), known)).toBe(JSON.stringify({ x: value }));
      }),
    );
  });
});
