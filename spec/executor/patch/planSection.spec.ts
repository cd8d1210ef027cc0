import { parsePatch } from '../../../src/executor/patch/checkPatch';
import type { ChunkLine, Patch, Section } from '../../../src/executor/patch/grammar/patch';
import type { Placement } from '../../../src/executor/patch/matching/placeChunks';
import { editText, planSection, type SectionResult } from '../../../src/executor/patch/planSection';
import type { Seen } from '../../../src/executor/patch/seen';
import { noWorld } from '../../../src/executor/patch/world';
import { decode, encode, patchOf, viewOf } from './support';

const PATHS = ['f', 'g', 'no', 'deep', 'link', 'locked'];
const blocked = (part: 'file' | 'parent'): Seen => ({ kind: 'blocked', part, reason: 'denied' });
const bytes = new TextEncoder().encode('a\n');
const link: Seen = { kind: 'file', real: '/ws/f', entry: '/ws/link', file: { bytes, mode: 0o755, access: 'writable' } };
const locked: Seen = {
  kind: 'file',
  real: '/ws/locked',
  entry: '/ws/locked',
  file: { bytes, mode: 0o444, access: 'readOnly' },
};
const files = { f: 'a\n', no: blocked('file'), deep: blocked('parent'), link, locked };

/** What one section does: the files that it changes, its report, and what stands in its way. */
const planned = (lines: string[], own: Record<string, string | Seen> = {}) => {
  const [section] = (parsePatch(patchOf(...lines)) as Patch).sections;
  if (section === undefined) throw new Error('no section');
  const result = planSection(noWorld(viewOf({ ...files, ...own }, PATHS)), section);
  if ('kind' in result) return result;
  const { world, ...rest } = result;
  const now = Object.fromEntries([...world.now].map(([path, file]) => [path, file ? decode(file.bytes) : null]));
  return { now, moves: Object.fromEntries(world.moves), ...rest };
};
const change = (path: string, ...more: string[]) => [`*** Update File: ${path}`, ...more, '@@', '-a', '+b'];
const failure = (purpose: 'update' | 'delete', path: string, reason: string) => ({
  kind: 'unreadable',
  purpose,
  path,
  reason,
  absolute: `/ws/${path}`,
});
const NOT_THERE = 'No such file or directory (os error 2)';
const done = (letter: string, path: string, now: object, moves = {}) => ({ now, moves, report: { letter, path } });

describe('planSection', () => {
  it.each<[string, string[], object]>([
    ['adds a file            ', ['*** Add File: g', '+x'], done('A', 'g', { '/ws/g': 'x\n' })],
    ['adds over a file       ', ['*** Add File: f', '+x'], done('M', 'f', { '/ws/f': 'x\n' })],
    ['deletes a file         ', ['*** Delete File: f'], done('D', 'f', { '/ws/f': null })],
    ['deletes a link itself  ', ['*** Delete File: link'], done('D', 'link', { '/ws/link': null })],
    ['updates a file         ', change('f'), done('M', 'f', { '/ws/f': 'b\n' })],
    ['updates behind a link  ', change('link'), done('M', 'link', { '/ws/f': 'b\n' })],
    [
      'moves a file           ',
      change('f', '*** Move to: g'),
      done('M', 'g', { '/ws/f': null, '/ws/g': 'b\n' }, { '/ws/f': '/ws/g' }),
    ],
    ['moves onto itself      ', change('link', '*** Move to: f'), done('M', 'f', { '/ws/f': 'b\n' })],
  ])('%s', (_, lines, expected) => {
    expect(planned(lines)).toEqual(expected);
  });

  it.each<[string, string, string[], string]>([
    ['and the patch does not show it ', '\uFEFFa\nz\n', ['-a', '+b'], '\uFEFFb\nz\n'],
    ['and the patch shows it         ', '\uFEFFa\nz\n', ['-\uFEFFa', '+\uFEFFb'], '\uFEFFb\nz\n'],
    ['and another line is replaced   ', '\uFEFFa\nz\n', ['-z', '+y'], '\uFEFFa\ny\n'],
  ])('keeps a byte order mark at the beginning of a file, %s', (_, text, lines, expected) => {
    expect(planned(['*** Update File: f', '@@', ...lines], { f: text })).toMatchObject({ now: { '/ws/f': expected } });
  });

  it.each<[string, string[], string]>([
    ['a file that cannot be written', ['*** Add File: no', '+x'], 'Failed to write file no'],
    ['a folder that cannot be made ', ['*** Add File: deep', '+x'], 'Failed to create parent directories for deep'],
    ['a file that is read-only     ', change('locked'), 'Failed to write file locked'],
    ['the target of a move         ', change('f', '*** Move to: no'), 'Failed to write file no'],
  ])('plans all the same, with the obstacle: %s', (_, lines, obstacle) => {
    expect(planned(lines)).toMatchObject({ obstacle, report: expect.any(Object) });
  });

  it('moves a read-only file, whose new name may be written', () => {
    const [section] = (parsePatch(patchOf(...change('locked', '*** Move to: g'))) as Patch).sections;
    const result = planSection(noWorld(viewOf(files, PATHS)), section as Section) as SectionResult;
    expect(result).not.toHaveProperty('obstacle');
    expect(result.world.now.get('/ws/g')).toEqual({ bytes: encode('b\n'), mode: 0o444, access: 'writable' });
  });

  it.each<[string, string[], object]>([
    ['no file to update ', change('g'), failure('update', 'g', NOT_THERE)],
    ['no file to delete ', ['*** Delete File: g'], failure('delete', 'g', NOT_THERE)],
    ['a file in the way ', change('no'), failure('update', 'no', 'denied')],
  ])('fails for %s', (_, lines, expected) => {
    expect(planned(lines)).toEqual(expected);
  });

  it('fails for a file that is no text, or has no such lines', () => {
    const binary: Seen = { ...locked, file: { ...locked.file, bytes: Buffer.from([0xff, 0xfe, 0xfd]) } } as Seen;
    expect(planned(change('locked'), { locked: binary })).toEqual(
      failure('update', 'locked', 'stream did not contain valid UTF-8'),
    );
    expect(planned(change('f'), { f: 'other\n' })).toMatchObject({ path: 'f', absolute: '/ws/f' });
  });
});

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
    expect(editText(text, placements)).toBe(expected);
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
      'line ends of both kinds, each beside its own',
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
    expect(editText(text, placements)).toBe(expected);
  });

  it('does not take a line out twice', () => {
    expect(editText('a\n', [at(0, removed('a')), at(0, removed('a'), added('b'))])).toEqual({
      kind: 'missingLines',
      lines: ['a'],
      line: 3,
    });
  });

  it('puts in a hundred thousand lines', () => {
    const lines = Array.from({ length: 100_000 }, () => added('x'));
    expect(editText('a\n', [at(0, context('a'), ...lines)])).toBe(`a\n${'x\n'.repeat(100_000)}`);
  });
});
