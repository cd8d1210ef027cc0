import type { Chunk, ChunkLine } from '../../../../src/executor/patch/grammar/patch';
import { normalise, placeChunks, searchLines } from '../../../../src/executor/patch/matching/placeChunks';
import { atOnce } from '../../../../src/streams/pausing';
import { stepsOf } from '../../../support/pausing';

const KINDS = { ' ': 'context', '-': 'removed', '+': 'added' } as const;
const isMark = (mark: string): mark is keyof typeof KINDS => mark in KINDS;

/** Lines of a chunk as a patch writes them. */
const linesOf = (...lines: readonly string[]): ChunkLine[] =>
  lines.map((line) => {
    const mark = line[0] ?? ' ';
    if (!isMark(mark)) throw new Error(line);
    return { kind: KINDS[mark], text: line.slice(1) };
  });

const chunk = (line: number, contexts: string[], ...lines: string[]): Chunk => ({
  contexts,
  line,
  anchor: 'anywhere',
  lines: linesOf(...lines),
});

const place = (file: readonly string[], chunks: readonly Chunk[]) => atOnce(placeChunks(file, chunks));

/** Where each chunk begins. */
const places = (file: string, ...chunks: readonly Chunk[]) => {
  const placed = place([...file], chunks);
  return 'kind' in placed ? placed : placed.map(({ at }) => at);
};

describe('placeChunks', () => {
  it('looks for each chunk after the one before', () => {
    expect(places('xaxax', chunk(3, [], '-a'), chunk(5, [], '-a'))).toEqual([1, 3]);
    expect(places('ab', chunk(3, [], '-b'), chunk(5, [], '-a'))).toEqual({
      kind: 'missingLines',
      lines: ['a'],
      line: 5,
    });
  });

  it('looks after a context, and after one within another', () => {
    expect(places('xaya', chunk(3, ['y'], '-a'))).toEqual([3]);
    expect(places('faCfa', chunk(3, ['C', 'f'], '-a'))).toEqual([4]);
    expect(places('Cab', chunk(3, ['C'], ' C', '-a'))).toEqual({ kind: 'missingLines', lines: ['C', 'a'], line: 3 });
  });

  it('names a context that is missing, or stands before', () => {
    expect(places('ab', chunk(7, ['c'], '-a'))).toEqual({ kind: 'missingContext', context: 'c', line: 7 });
    expect(places('ab', chunk(7, ['b', 'a'], '+x'))).toEqual({ kind: 'missingContext', context: 'a', line: 7 });
  });

  it('puts lines without any around them after the context, else at the end', () => {
    expect(places('abc', chunk(3, ['b'], '+x'), chunk(5, [], '-c'))).toEqual([2, 2]);
    expect(places('abc', chunk(3, [], '+x'), chunk(5, [], '-a'))).toEqual(['end', 0]);
    expect(places('abc', { ...chunk(3, ['b'], '+x'), anchor: 'endOfFile' })).toEqual(['end']);
    expect(places('', chunk(3, [], '+x'))).toEqual(['end']);
  });

  it('looks at the end of the file if the chunk is marked so', () => {
    expect(places('xyx', { ...chunk(3, [], '-x'), anchor: 'endOfFile' })).toEqual([2]);
    expect(places('xy', { ...chunk(3, [], '-x'), anchor: 'endOfFile' })).toEqual({
      kind: 'missingLines',
      lines: ['x'],
      line: 3,
    });
  });

  it.each([
    ['drops it with the new one', [' a', ' '], [' a']],
    ['drops a removed one with an added one', [' a', '-', '+'], [' a']],
    ['drops a removed one alone', [' a', '-', '+x'], [' a', '+x']],
    ['puts it in where lines follow', [' a', ' ', '+x'], [' a', '+', '+x']],
  ])('takes a last empty line for the end of the file: %s', (_, lines, expected) => {
    expect(place(['a'], [chunk(3, [], ...lines)])).toMatchObject([{ at: 0, lines: linesOf(...expected) }]);
  });

  it('keeps a last empty line that is there', () => {
    expect(place(['a', ''], [chunk(3, [], ' a', ' ')])).toMatchObject([{ at: 0, lines: linesOf(' a', ' ') }]);
  });

  it('names the chunk in which the search was given up', () => {
    const file = Array.from({ length: 10_000 }, () => 'a');
    const lines: ChunkLine[] = [...file.slice(5_000), 'b'].map((text) => ({ kind: 'context', text }));
    const hard: Chunk = { contexts: [], lines, anchor: 'anywhere', line: 9 };
    expect(place(file, [hard])).toEqual({ kind: 'exhausted', line: 9 });
    expect(place(file, [{ ...hard, contexts: ['a'] }])).toEqual({ kind: 'exhausted', line: 9 });
  });
});

describe('normalise', () => {
  it.each([
    ['dashes', '\u2010\u2011\u2012\u2013\u2014\u2015\u2212', '-------'],
    ['single quotes', '\u2018\u2019\u201a\u201b', "''''"],
    ['double quotes', '\u201c\u201d\u201e\u201f', '""""'],
    ['spaces', 'a\u00a0\u2002\u2003\u2009\u200a\u202f\u205f\u3000b', 'a        b'],
    ['blanks at the ends', '\t\u3000a b\u00a0', 'a b'],
  ])('writes %s in ASCII', (_, text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  it.each(['a  b', '\u2026', '\u200b', '\ufeff', '\u2001x'.slice(1), 'É'])('leaves %j', (text) => {
    expect(normalise(text)).toBe(text);
  });
});

const find = (lines: readonly string[], block: readonly string[], from = 0) =>
  atOnce(searchLines(lines)(block, { from, anchor: 'anywhere' }));
const findAtEnd = (lines: readonly string[], block: readonly string[], from = 0) =>
  atOnce(searchLines(lines)(block, { from, anchor: 'endOfFile' }));

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

  it('looks at the end of the file only, if it must', () => {
    const lines = ['x', 'y', 'x'];
    expect([findAtEnd(lines, ['x']), findAtEnd(lines, ['y']), findAtEnd(lines, ['y', 'x'], 3)]).toEqual([
      2,
      'missing',
      1,
    ]);
    expect([findAtEnd(lines, [' x']), findAtEnd([], ['x']), findAtEnd(lines, [])]).toEqual([2, 'missing', 3]);
  });

  it('gives up if all is alike, and does not begin again', () => {
    const lines = Array.from({ length: 10_000 }, () => 'a');
    const block = [...lines.slice(5_000), 'b'];
    const search = searchLines(lines);
    expect(atOnce(search(block, { from: 0, anchor: 'anywhere' }))).toBe('exhausted');
    expect(atOnce(search(block, { from: 0, anchor: 'anywhere' }))).toBe('exhausted');
  });

  it('pauses in a long file, in each form', () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i}`);
    const { steps, result } = stepsOf(searchLines(lines)([' line 99999'], { from: 0, anchor: 'anywhere' }));
    expect(result).toBe(99_999);
    expect(steps).toBeGreaterThan(20);
  });

  it('gives up on long lines that are alike sooner', () => {
    const lines = Array.from({ length: 2_000 }, () => 'a'.repeat(10_000));
    expect(find(lines, [...lines.slice(1_000), 'b'])).toBe('exhausted');
  });
});
