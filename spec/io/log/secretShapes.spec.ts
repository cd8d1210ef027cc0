import fc from 'fast-check';
import { cluesOf, runsIn } from '../../../src/io/log/secretShapes';
import { atOnce } from '../../../src/streams/pausing';

describe('cluesOf', () => {
  const find = cluesOf(
    new Map([
      ['sk-', ['key']],
      ['token', ['name', 'count']],
      ['a0:', ['digit']],
    ]),
  );
  const found = (text: string): [string, number][] => {
    const all: [string, number][] = [];
    atOnce(find(text, (of, at) => all.push([of, at])));
    return all;
  };

  it.each<[string, [string, number][]]>([
    ['sk-', [['key', 0]]],
    ['xSK-', [['key', 1]]],
    ['tok token', [['name', 4], ['count', 4]]], // biome-ignore format: one line
    ['a7: ax:', [['digit', 0]]],
    ['sk_ s-k', []],
    ['', []],
  ])('finds the clues of %j', (text, clues) => {
    expect(found(text)).toEqual(clues);
  });

  it('finds a clue that a pause cuts, once', () => {
    for (const at of [65_532, 65_533, 65_534, 65_535, 65_536])
      expect(found(`${' '.repeat(at)}sk- `)).toEqual([['key', at]]);
  });
});

describe('runsIn', () => {
  it('finds each run of the given length, and no other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', '7', '_', '/', '=', ' ', '"'), maxLength: 60 });
    fc.assert(
      fc.property(text, (given) => {
        const runs = Array.from(given.matchAll(/[\w.+/=~-]{4,}/g), ({ 0: run, index }) => [index, index + run.length]);
        expect(runsIn(given, 4).map(({ from, to }) => [from, to])).toEqual(runs);
      }),
    );
  });
});
