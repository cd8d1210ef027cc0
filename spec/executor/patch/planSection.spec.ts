import { parsePatch } from '../../../src/executor/patch/checkPatch';
import type { Patch, Section } from '../../../src/executor/patch/grammar/patch';
import { planSection, type SectionResult } from '../../../src/executor/patch/planSection';
import type { Seen } from '../../../src/executor/patch/seen';
import { noWorld } from '../../../src/executor/patch/world';
import { atOnce } from '../../../src/streams/pausing';
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
  const result = atOnce(planSection(noWorld(viewOf({ ...files, ...own }, PATHS)), section));
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
    const result = atOnce(planSection(noWorld(viewOf(files, PATHS)), section as Section)) as SectionResult;
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
