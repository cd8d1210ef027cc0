import { ageOf, toTable } from '../../src/cli/table';

describe('toTable', () => {
  it('aligns its columns by their widths, and keeps to the width', () => {
    expect(toTable(['id', 'name'], [['long', 'a'], ['x', '日本'], ['y']], 10)).toEqual([
      'id    name',
      'long  a',
      'x     日本',
      'y',
    ]);
    expect(toTable(['id'], [['abcdef']], 4)).toEqual(['id', 'abc…']);
  });
});

describe('ageOf', () => {
  it.each([
    [-5, 'now'],
    [59_999, 'now'],
    [60_000, '1 min'],
    [7_200_000, '2 h'],
    [260_000_000, '3 d'],
  ])('shows %i ms as %s', (ms, age) => expect(ageOf(ms)).toBe(age));
});
