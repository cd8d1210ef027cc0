import fc from 'fast-check';
import { fitsHoles, toNamedHole, withHoleValues } from '../../../src/tapes/templates/fillHoles';

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
