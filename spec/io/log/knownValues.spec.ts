import { knownValues } from '../../../src/io/log/knownValues';

describe('knownValues', () => {
  it.each([
    ['as it is', 'a hunter/22 & more', { from: 2, to: 18 }],
    ['as JSON writes it', 'say \\"hi\\" now', { from: 0, to: 14 }],
    ['as URLs write it', 'q=hunter%2F22%20%26%20more', { from: 2, to: 26 }],
    ['the longest of two', 'abcdefgh', { from: 0, to: 8 }],
    ['none that is too short', 'tiny', undefined],
  ])('finds a value %s', (_, text, place) => {
    const known = knownValues(['hunter/22 & more', 'say "hi" now', 'abcdef', 'abcdefgh', 'tiny']);
    expect(known.next(text, 0)).toEqual(place);
  });

  it('finds a value of any length, and half of it', () => {
    const value = Array.from({ length: 4_000 }, (_, i) => `${i}.`).join('');
    const known = knownValues([value]);
    expect(known.next(`x${value}y`, 0)).toEqual({ from: 1, to: value.length + 1 });
    expect(known.next(`x${value.slice(0, 9_000)} y`, 0)).toEqual({ from: 1, to: 9_001 });
  });

  it('finds what is added, from the place that is given', () => {
    const known = knownValues([]);
    expect(known.next('abcdef', 0)).toBeUndefined();
    known.add('abcdef');
    expect([known.next('abcdef abcdef', 1), known.next('abcdef', 1)]).toEqual([{ from: 7, to: 13 }, undefined]);
  });
});
