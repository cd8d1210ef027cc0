import { searchLines } from '../../../../src/executor/patch/matching/placeChunks';

const find = (lines: readonly string[], block: readonly string[], from = 0) =>
  searchLines(lines)(block, { from, anchor: 'anywhere' });
const findAtEnd = (lines: readonly string[], block: readonly string[], from = 0) =>
  searchLines(lines)(block, { from, anchor: 'endOfFile' });

describe('searchLines', () => {
  it('finds a block where it first stands, from a line on', () => {
    const lines = ['x', 'a', 'x', 'a', 'b'];
    expect([find(lines, ['a']), find(lines, ['a'], 2), find(lines, ['a', 'b'])]).toEqual([1, 3, 3]);
    expect([find(lines, ['a'], 4), find(lines, ['c']), find(lines, [...lines, 'x'])]).toEqual([
      'missing',
      'missing',
      'missing',
    ]);
  });

  it('finds nothing in nothing, and an empty block where it looks first', () => {
    expect([find([], ['a']), find([], []), find(['a', 'b'], [], 1), find(['a'], [], 2)]).toEqual([
      'missing',
      0,
      1,
      'missing',
    ]);
  });

  it.each([
    ['the same line before one with other blanks at its end', ['b ', 'b'], 1],
    ['blanks at the end before blanks at the beginning', [' b', 'b '], 1],
    ['blanks before typographic forms', ['\u00a0\u2010b'.slice(1), ' b '], 1],
    ['a form without blanks', ['\tb'], 0],
  ])('takes %s', (_, lines, at) => {
    expect(find(lines, ['b'])).toBe(at);
  });

  it('takes typographic punctuation for ASCII last of all', () => {
    expect(find(['it\u2019s \u2014 \u201cx\u201d'], [' it\'s - "x"'])).toBe(0);
  });

  it('compares a whole block in one form', () => {
    expect(find(['a', 'b ', 'a ', 'b'], ['a', 'b'])).toBe(0);
    expect(find(['a ', 'b', ' a', 'b'], ['a', 'b'])).toBe(0);
  });

  it('looks at the end of the file only, where it must', () => {
    const lines = ['x', 'y', 'x'];
    expect([findAtEnd(lines, ['x']), findAtEnd(lines, ['y']), findAtEnd(lines, ['y', 'x'], 3)]).toEqual([
      2,
      'missing',
      1,
    ]);
    expect([findAtEnd(lines, [' x']), findAtEnd([], ['x']), findAtEnd(lines, [])]).toEqual([2, 'missing', 3]);
  });

  it('gives up where all is alike, and does not begin anew', () => {
    const lines = Array.from({ length: 10_000 }, () => 'a');
    const block = [...lines.slice(5_000), 'b'];
    const search = searchLines(lines);
    expect(search(block, { from: 0, anchor: 'anywhere' })).toBe('exhausted');
    expect(search(block, { from: 0, anchor: 'anywhere' })).toBe('exhausted');
  });

  it('gives up on long lines that are alike sooner', () => {
    const lines = Array.from({ length: 2_000 }, () => 'a'.repeat(10_000));
    expect(find(lines, [...lines.slice(1_000), 'b'])).toBe('exhausted');
  });
});
