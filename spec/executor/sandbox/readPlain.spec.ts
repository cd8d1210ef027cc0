/** Real files, pipes and devices. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isScarce, readPieces, readPiecesOnce, readPlain } from '../../../src/executor/sandbox/readPlain';
import { atOnce, type Pausing } from '../../../src/streams/pausing';

describe('readPlain', () => {
  const base = mkdtempSync(join(tmpdir(), 'codex-rx-plain-'));
  const at = (name: string) => join(base, name);
  beforeAll(() => {
    mkdirSync(at('folder'));
    for (const name of ['file', 'long']) writeFileSync(at(name), 'text');
    truncateSync(at('long'), 67_108_865);
    execFileSync('mkfifo', [at('pipe')]);
    symlinkSync('file', at('link'));
    symlinkSync('pipe', at('toPipe'));
    symlinkSync('/dev/zero', at('device'));
    symlinkSync('loop', at('loop'));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  it('reads a file, and nothing else', () => {
    expect(['file', 'link'].map((name) => readPlain(at(name))?.toString())).toEqual(['text', 'text']);
    const others = ['folder', 'nothing', 'file/below', 'loop', 'long', 'pipe', 'toPipe', 'device'];
    expect(others.filter((name) => readPlain(at(name)) !== undefined)).toEqual([]);
  });

  it('reads a long file in pieces, as far as its reader goes, and refuses one of more than half a GiB', () => {
    const sizes = (name: string) => atOnce(readPieces(at(name), lengths));
    expect(sizes('link')).toEqual([4]);
    expect(sizes('long')).toEqual([...Array<number>(64).fill(1_048_576), 1]);
    expect(atOnce(readPieces(at('long'), begin))).toBe('text');
    expect(['folder', 'nothing', 'pipe', 'device'].map(sizes)).toEqual([undefined, undefined, undefined, undefined]);
    truncateSync(at('long'), 536_870_913);
    expect(() => sizes('long')).toThrow(/long has 536870913 bytes, of which at most 536870912 are read$/);
  });

  it('reads what the kernel writes, which has no length', () => {
    expect(readPlain('/proc/self/mountinfo')?.toString()).toContain(' / ');
  });
});

describe('readPiecesOnce', () => {
  it('asks a reader again only if the file has changed, or may have', () => {
    const versions: Record<string, string | undefined> = { '/a': '1', '/b': '1', '/new': undefined };
    const read: string[] = [];
    const once = readPiecesOnce({
      versionAt: (path) => versions[path],
      readPieces: (path, reader) => {
        read.push(path);
        return reader([Buffer.from(path)]);
      },
    });
    const both = (path: string) => [atOnce(once(path, begin)), atOnce(once(path, lengths))];
    expect([both('/a'), both('/a'), both('/b')]).toEqual([
      ['/a', [2]],
      ['/a', [2]],
      ['/b', [2]],
    ]);
    expect(read).toEqual(['/a', '/a', '/b', '/b']);
    versions['/a'] = '2';
    both('/a');
    both('/new');
    both('/new');
    expect(read.slice(4)).toEqual(['/a', '/a', '/new', '/new', '/new', '/new']);
  });
});

describe('isScarce', () => {
  it.each([
    ['EMFILE', true],
    ['ENFILE', true],
    ['ENOENT', false],
    [undefined, false],
  ])('of %s is %s', (code, is) => {
    expect(isScarce(Object.assign(new Error('no'), { code }))).toBe(is);
  });
});

function* lengths(pieces: Iterable<Buffer>): Pausing<number[]> {
  yield;
  return [...pieces].map(({ length }) => length);
}

function* begin([piece]: Iterable<Buffer>): Pausing<string | undefined> {
  yield;
  return piece?.toString('utf8', 0, 4);
}
