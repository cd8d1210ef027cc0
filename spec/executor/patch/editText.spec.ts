import { editText, toFileText } from '../../../src/executor/patch/editText';
import type { ChunkLine } from '../../../src/executor/patch/grammar/patch';
import type { MatchFailure, Placement } from '../../../src/executor/patch/matching/placeChunks';
import { atOnce, type Pausing } from '../../../src/streams/pausing';
import { stepsOf } from '../../support/pausing';
import { decode, encode } from './support';

const removed = (text: string): ChunkLine => ({ kind: 'removed', text });
const added = (text: string): ChunkLine => ({ kind: 'added', text });
const context = (text: string): ChunkLine => ({ kind: 'context', text });

const at = (place: Placement['at'], ...lines: ChunkLine[]): Placement => ({
  at: place,
  lines,
  chunk: { contexts: [], lines, anchor: 'anywhere', line: 3 },
});

describe('editText', () => {
  it.each([
    ['nothing', 'a\nb\n', [], 'a\nb\n'],
    ['a line', 'a\nb\n', [at(1, removed('b'), added('B'))], 'a\nB\n'],
    ['all lines', 'a\nb\n', [at(0, removed('a'), removed('b'))], ''],
    ['an empty file', '', [at('end', added('a'))], 'a\n'],
    ['the beginning', 'a\n', [at(0, added('x'), context('a'))], 'x\na\n'],
    ['the end', 'a\n', [at('end', added('x')), at('end', added('y'))], 'a\nx\ny\n'],
    ['the end, where an empty line is', 'a\n\n', [at('end', added('x'))], 'a\nx\n'],
    [
      'the end, whatever comes there later',
      'a\n',
      [at('end', added('z')), at(0, context('a'), added('b'))],
      'a\nb\nz\n',
    ],
    ['two places', 'a\nb\nc\n', [at(0, removed('a')), at(2, context('c'), added('d'))], 'b\nc\nd\n'],
    [
      'two places that share a context',
      'a\nb\n',
      [at(0, context('a'), context('b')), at(1, context('b'), added('c'))],
      'a\nb\nc\n',
    ],
    ['a blank last line elsewhere', 'a\n\n', [at(0, removed('a'), added('b'))], 'b\n\n'],
  ])('changes %s', (_, text, placements, expected) => {
    expect(edited(text, placements)).toBe(expected);
  });

  it.each([
    [
      'blanks of lines that were matched loosely',
      'a  \n\tb\n',
      [at(0, context('a'), context('b'), added('c'))],
      'a  \n\tb\nc\n',
    ],
    [
      'carriage returns, and gives them to new lines',
      'a\r\nb\r\n',
      [at(0, context('a'), removed('b'), added('B'), added('C'))],
      'a\r\nB\r\nC\r\n',
    ],
    ['carriage returns at the top', 'a\r\n', [at(0, added('x'), context('a'))], 'x\r\na\r\n'],
    [
      'line ends of both kinds: a new line ends as the line before it',
      'a\r\nb\n',
      [at(1, added('x'), context('b'), added('y'))],
      'a\r\nx\r\nb\ny\n',
    ],
    ['a carriage return that ends no line', 'a\rb\n', [at(0, context('a\rb'), added('c'))], 'a\rb\nc\n'],
    ['a missing line feed', 'a\nb', [at(0, removed('a'), added('A'))], 'A\nb'],
    ['a missing line feed of a changed line', 'a\nb', [at(1, removed('b'), added('B'))], 'a\nB'],
    ['a missing line feed behind new lines', 'a', [at(0, context('a'), added('b'))], 'a\nb'],
    ['a missing line feed behind what remains', 'a\nb', [at(1, removed('b'))], 'a'],
    ['a missing line feed behind carriage returns', 'a\r\nb', [at('end', added('c'))], 'a\r\nb\r\nc'],
    ['a byte order mark', '\ufeffa\nb\n', [at(1, removed('b'))], '\ufeffa\n'],
  ])('keeps %s', (_, text, placements, expected) => {
    expect(edited(text, placements)).toBe(expected);
  });

  it('does not take a line out twice', () => {
    expect(edited('a\n', [at(0, removed('a')), at(0, removed('a'), added('b'))])).toEqual({
      kind: 'missingLines',
      lines: ['a'],
      line: 3,
    });
  });

  it('puts in a hundred thousand lines', () => {
    const lines = Array.from({ length: 100_000 }, () => added('x'));
    expect(edited('a\n', [at(0, context('a'), ...lines)])).toBe(`a\n${'x\n'.repeat(100_000)}`);
  });

  it('reads and writes a large file in steps, whatever its letters', () => {
    const [plain, wide] = [linesOf(40_000, 'a line'), linesOf(40_000, 'ä line €')];
    for (const text of [plain, wide]) {
      const { steps, result } = stepsOf(edit(text, [at(30_000, removed('x'), added('new'))]));
      expect(steps).toBeGreaterThan(2);
      expect(decode(result as Uint8Array)).toBe(text.replace(/.* 30000\n/, 'new\n'));
    }
  });
});

function* edit(text: string, placements: readonly Placement[]): Pausing<Uint8Array | MatchFailure> {
  return yield* editText(yield* toFileText(encode(text)), placements);
}

const linesOf = (count: number, text: string): string =>
  Array.from({ length: count }, (_, i) => `${text} ${i}\n`).join('');

const edited = (text: string, placements: readonly Placement[]): string | MatchFailure => {
  const result = atOnce(edit(text, placements));
  return 'kind' in result ? result : (decode(result) as string);
};
