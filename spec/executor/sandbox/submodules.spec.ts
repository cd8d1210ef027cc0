import { findProtected } from '../../../src/executor/sandbox/findProtected';
import { SandboxError } from '../../../src/executor/sandbox/sandbox';
import type { ReadPieces } from '../../../src/executor/sandbox/sandboxFiles';
import { submodulesAround } from '../../../src/executor/sandbox/submodules';
import { atOnce } from '../../../src/streams/pausing';
import { memoryFiles, type Tree } from './memoryFiles';

type Entry = [path: string, mode?: number];
type Form = { version?: number; idBytes?: number; extended?: boolean };

const LINK = 0o160000;

const number = (value: number, bytes: number): Buffer =>
  Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex');

/** The number of version 4 that begins a path. */
const replaced = (bytes: number): Buffer =>
  Buffer.from(bytes < 128 ? [bytes] : [128 | ((bytes >> 7) - 1), bytes & 127]);

/** An index as git writes it, as a text of one character for each byte. */
const indexOf = (entries: Entry[], { version = 2, idBytes = 20, extended = false }: Form = {}): string => {
  const rows = entries.map(([path, mode = 0o100644], i) => {
    const facts = Buffer.concat([Buffer.alloc(24), number(mode, 4), Buffer.alloc(12, 7), Buffer.alloc(idBytes, 0xe0)]);
    const length = Math.min(Buffer.byteLength(path), 0xfff);
    const flags = extended ? [number(0x4000 + length, 2), number(0, 2)] : [number(length, 2)];
    const before = entries[i - 1]?.[0] ?? '';
    const kept = before.startsWith(path.slice(0, 1)) ? 1 : 0;
    const rest = [replaced(Buffer.byteLength(before) - kept), Buffer.from(`${path.slice(kept)}\0`)];
    if (version === 4) return Buffer.concat([facts, ...flags, ...rest]);
    const row = Buffer.concat([facts, ...flags, Buffer.from(path)]);
    return Buffer.concat([row, Buffer.alloc(8 - (row.length % 8))]);
  });
  const head = [Buffer.from('DIRC'), number(version, 4), number(entries.length, 4)];
  return Buffer.concat([...head, ...rows, Buffer.alloc(20)]).toString('latin1');
};

const around = (tree: Tree, folder = '/w'): string[] =>
  atOnce(submodulesAround(memoryFiles({ '/w': null, '/w/.git': null, ...tree }), [folder]));

const ENTRIES: Entry[] = [
  ['a', 0o100755],
  ['lib/ü', LINK],
  ['link', 0o120000],
  ['sub', LINK],
  ['t'.repeat(200)],
  ['ta'.repeat(2100)],
  ['two', LINK],
];

describe('submodulesAround', () => {
  it.each<Form>([{}, { version: 3, extended: true }, { version: 4 }, { idBytes: 32 }, { version: 4, idBytes: 32 }])(
    'finds them in an index of the form %j',
    (form) => {
      expect(around({ '/w/.git/index': indexOf(ENTRIES, form) })).toEqual(['/w/lib/ü', '/w/sub', '/w/two']);
    },
  );

  it('finds them from a folder of the repository, and in an index that is shared', () => {
    const tree: Tree = { '/w/d': null, '/w/.git/index': indexOf([]), '/w/.git/sharedindex.1': indexOf(ENTRIES) };
    expect(around(tree, '/w/d')).toEqual(['/w/lib/ü', '/w/sub', '/w/two']);
  });

  it('finds those of submodules, by their gitfile', () => {
    const tree: Tree = {
      '/w/.git/index': indexOf([['sub', LINK]]),
      '/w/sub': null,
      '/w/sub/.git': 'gitdir: /w/.git/modules/sub\n',
      '/w/.git/modules': null,
      '/w/.git/modules/sub': null,
      '/w/.git/modules/sub/index': indexOf([['inner', LINK]]),
    };
    expect(around(tree)).toEqual(['/w/sub', '/w/sub/inner']);
  });

  it('pauses after each submodule, and each piece of an index, for there may be thousands', () => {
    const tree: Tree = { '/w': null, '/w/.git': null, '/w/.git/index': indexOf(ENTRIES) };
    const work = submodulesAround(memoryFiles(tree), ['/w']);
    let pauses = 0;
    while (work.next().done !== true) pauses += 1;
    expect(pauses).toBeGreaterThanOrEqual(3);
  });

  it('has the folders around more than 200 of them protected, and not these where a command must write', () => {
    const names = Array.from({ length: 199 }, (_, n) => `sub/s${n}`);
    const protectedOf = (more: Entry[], workspace = ['/w']) => {
      const index = indexOf([...names.map((name): Entry => [name, LINK]), ...more]);
      const folders = Object.fromEntries([...names, 'top'].map((name) => [`/w/${name}`, null]));
      const tree: Tree = { '/w': null, '/w/.git': null, '/w/.codex': null, '/w/.git/index': index, '/w/sub': null };
      const found = findProtected(memoryFiles({ ...tree, ...folders }), { workspace, temporary: [] }, []);
      return atOnce(found).existing.filter((path) => !/s\d+$/.test(path));
    };
    expect(protectedOf([['top', LINK]])).toEqual(['/w/.git', '/w/.codex', '/w/top']);
    expect(
      protectedOf([
        ['top', LINK],
        ['two', LINK],
      ]),
    ).toEqual(['/w/sub', '/w/top', '/w/.git', '/w/.codex']);
    expect(
      protectedOf(
        [
          ['two', LINK],
          ['too', LINK],
        ],
        ['/w/sub'],
      ),
    ).toEqual([]);
  });

  it('keeps no name free in a folder that is read-only for many of them: each would be made for each command', () => {
    const names = Array.from({ length: 300 }, (_, n): Entry => [`sub/s${n}`, LINK]);
    const tree: Tree = { '/w': null, '/w/.git': null, '/w/.codex': null, '/w/.git/index': indexOf(names) };
    const missingOf = (more: Tree) =>
      atOnce(findProtected(memoryFiles({ ...tree, ...more }), { workspace: ['/w'], temporary: [] }, [])).missing;
    expect(missingOf({ '/w/sub': null })).toEqual([]);
    expect(missingOf({})).toEqual(['/w/sub']);
  });

  it('refuses thousands that are gone, each of which would be made for each command', () => {
    const index = indexOf(Array.from({ length: 3_001 }, (_, n): Entry => [`s${n}`, LINK]));
    const tree: Tree = { '/w': null, '/w/.git': null, '/w/.codex': null, '/w/.git/index': index };
    expect(() => atOnce(findProtected(memoryFiles(tree), { workspace: ['/w'], temporary: [] }, []))).toThrow(
      /^3001 folders .* such as \/w\/s3000, .* by git checkout$/,
    );
  });

  it('refuses a link in the place of one, by which a command would make it again, and looks for none behind it', () => {
    const tree: Tree = { '/w/.git/index': indexOf([['a/sub', LINK]]), '/w/a': { link: '/w' }, '/w/sub': null };
    expect(around(tree)).toEqual(['/w/a/sub']);
    const files = memoryFiles({ '/w': null, '/w/.git': null, ...tree });
    expect(() => atOnce(findProtected(files, { workspace: ['/w'], temporary: [] }, []))).toThrow(
      /^\/w\/a is a link, which .* put a folder there$/,
    );
  });

  it('refuses a path that is not UTF-8, as no path that can be protected names it', () => {
    expect(() => around({ '/w/.git/index': indexOf([['lib/q', LINK]]).replace('lib/q', 'lib/\xe9') })).toThrow(
      /^\/w\/\.git\/index names the submodule lib\/\ufffd, which is not UTF-8 .*; rename it$/,
    );
  });

  it('finds a hundred thousand of them', () => {
    const index = Buffer.from(indexOf(Array.from({ length: 150_000 }, (_, n) => [`s${n}`, LINK])), 'latin1');
    const tree = memoryFiles({ '/w': null, '/w/.git': null, '/w/.git/index': '' });
    const files = { ...tree, readPieces: <T>(_: string, read: ReadPieces<T>) => read([index]) };
    expect(atOnce(submodulesAround(files, ['/w']))).toHaveLength(150_000);
  });

  it('finds none in what git takes for no index', () => {
    for (const text of ['', 'DIRC', `dirc${indexOf(ENTRIES).slice(4)}`])
      expect(around({ '/w/.git/index': text })).toEqual([]);
    expect(around({})).toEqual([]);
  });

  it('finds none in an index in which the mode of one stands by chance', () => {
    expect(around({ '/w/.git/index': `${indexOf([['a']])}\0\0\xe0\0` })).toEqual([]);
  });

  it('refuses an index that cannot be read to its end, as its submodules would not be protected', () => {
    const long = indexOf([['sub', LINK], ['t'.repeat(70_000)]]);
    const other = indexOf([
      ['sub', LINK],
      ['a', 0o100600],
    ]);
    for (const text of [
      indexOf(ENTRIES).slice(0, 350),
      other,
      long,
      `${indexOf([]).slice(0, 8)}\xff\xff\xff\xff\0\0\xe0\0`,
    ])
      expect(() => around({ '/w/.git/index': text })).toThrow(SandboxError);
    expect(() => around({ '/w/.git/index': other })).toThrow(
      /^\/w\/\.git\/index is damaged .*; if git cannot .* run git reset$/,
    );
  });

  it('passes over the entries of a split index whose paths are in the shared index', () => {
    const tree: Tree = {
      '/w/.git/index': indexOf([
        ['', LINK],
        ['new', LINK],
      ]),
      '/w/.git/sharedindex.1': indexOf(ENTRIES),
    };
    expect(around(tree)).toEqual(['/w/new', '/w/lib/ü', '/w/sub', '/w/two']);
  });

  it.each([2, 4])('finds them anywhere in a long index of version %i', (version) => {
    const names = Array.from(
      { length: 400 },
      (_, i): Entry => [`${'d'.repeat(i % 90)}${i}`, i % 7 === 0 ? LINK : undefined],
    );
    expect(around({ '/w/.git/index': indexOf(names, { version }) })).toEqual(
      names.filter(([, mode]) => mode === LINK).map(([name]) => `/w/${name}`),
    );
  });
});
