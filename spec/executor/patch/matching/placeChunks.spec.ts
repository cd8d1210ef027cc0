import type { Chunk, ChunkLine } from '../../../../src/executor/patch/grammar/patch';
import { placeChunks } from '../../../../src/executor/patch/matching/placeChunks';

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
  ...{ contexts, line, anchor: 'anywhere' },
  lines: linesOf(...lines),
});

/** Where each chunk begins. */
const places = (file: string, ...chunks: readonly Chunk[]) => {
  const placed = placeChunks([...file], chunks);
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

  it('looks at the end of the file where the chunk is marked so', () => {
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
    expect(placeChunks(['a'], [chunk(3, [], ...lines)])).toMatchObject([{ at: 0, lines: linesOf(...expected) }]);
  });

  it('keeps a last empty line that is there', () => {
    expect(placeChunks(['a', ''], [chunk(3, [], ' a', ' ')])).toMatchObject([{ at: 0, lines: linesOf(' a', ' ') }]);
  });

  it('names the chunk in which the search was given up', () => {
    const file = Array.from({ length: 10_000 }, () => 'a');
    const lines: ChunkLine[] = [...file.slice(5_000), 'b'].map((text) => ({ kind: 'context', text }));
    const hard: Chunk = { contexts: [], lines, anchor: 'anywhere', line: 9 };
    expect(placeChunks(file, [hard])).toEqual({ kind: 'exhausted', line: 9 });
    expect(placeChunks(file, [{ ...hard, contexts: ['a'] }])).toEqual({ kind: 'exhausted', line: 9 });
  });
});
