import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstValueFrom, lastValueFrom, reduce } from 'rxjs';
import { ignoresOf, isIgnored, walkFiles } from '../../../src/server/host/walkFiles';

const ignored = (text: string, path: string, isFolder = false) => isIgnored([ignoresOf(text, '')], path, isFolder);

describe('walkFiles', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'walk-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(root, { recursive: true });
  });

  /** Each look at the clock finds the time of a turn used up. */
  const haste = () => {
    let nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 10));
  };

  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const files = async (folder = root): Promise<string[]> => {
    const all$ = walkFiles(folder).pipe(reduce((all: string[], some) => [...all, ...some], []));
    return (await lastValueFrom(all$)).sort();
  };

  it('emits the files of a folder and below it', async () => {
    for (const path of ['a', 'd/b', 'd/e/c']) write(path);
    expect(await files()).toEqual(['a', 'd/b', 'd/e/c']);
  });

  it('leaves out what .gitignore names, in its folder and below it, and .git', async () => {
    write('.gitignore', 'out/\n*.log\n');
    write('d/.gitignore', '!keep.log\n');
    for (const path of ['.git/config', 'out/x', 'a.log', 'd/keep.log', 'd/b.log', 'd/out']) write(path);
    expect(await files()).toEqual(['.gitignore', 'd/.gitignore', 'd/keep.log', 'd/out']);
  });

  it('takes no rules from a large file, or through a link', async () => {
    write('large/.gitignore', `a\n${'#'.repeat(1_048_576)}`);
    write('rules', 'a\n');
    write('large/a');
    write('linked/a');
    symlinkSync('../rules', join(root, 'linked/.gitignore'));
    expect(await files()).toEqual(['large/.gitignore', 'large/a', 'linked/a', 'rules']);
  });

  it('follows no link', async () => {
    write('d/a');
    symlinkSync('d', join(root, 'folder'));
    symlinkSync('d/a', join(root, 'file'));
    symlinkSync('..', join(root, 'd/above'));
    expect(await files()).toEqual(['d/a']);
  });

  it('takes a folder that is missing, or none, for an empty one', async () => {
    write('a');
    expect([await files(join(root, 'none')), await files(join(root, 'a'))]).toEqual([[], []]);
  });

  it('serves other events while it walks many folders', async () => {
    for (let at = 0; at < 300; at++) write(`d${at}/a`);
    haste();
    let [turns, isOver] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    expect(await files()).toHaveLength(300);
    isOver = true;
    expect(turns).toBeGreaterThan(300);
  });

  it('reads nothing more when it is unsubscribed', async () => {
    for (const path of ['a', 'd/b', 'd/e/c']) write(path);
    haste();
    const read = jest.spyOn(fs, 'readdirSync');
    await firstValueFrom(walkFiles(root));
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe('isIgnored', () => {
  it.each<[string, string, boolean, boolean]>([
    ['node_modules', 'a/node_modules', true, true],
    ['dist/', 'dist', true, true],
    ['dist/', 'dist', false, false],
    ['/dist', 'a/dist', true, false],
    ['a/b', 'a/b', false, true],
    ['a/b', 'x/a/b', false, false],
    ['*.log\n!keep.log', 'keep.log', false, false],
    ['*.log\n!keep.log', 'x/other.log', false, true],
    ['# comment', '# comment', false, false],
    ['\\#x', '#x', false, true],
    ['x  ', 'x', false, true],
  ])('%j and %s', (text, path, isFolder, expected) => {
    expect(ignored(text, path, isFolder)).toBe(expected);
  });

  it('lets the rules of the deeper folder decide', () => {
    const all = [ignoresOf('*.js', ''), ignoresOf('!a.js', 'b')];
    expect(isIgnored(all, 'b/a.js', false)).toBe(false);
    expect(isIgnored(all, 'b/c.js', false)).toBe(true);
  });
});

describe('ignoresOf', () => {
  it('reads no more rules than a search can try', () => {
    expect(ignoresOf('a\n'.repeat(5_000), '').rules).toHaveLength(1_000);
    expect(ignoresOf('a'.repeat(300), '').rules).toEqual([]);
  });

  it('reads no more characters of a file and those above it than a search can try', () => {
    const long = `${'a'.repeat(128)}\n`.repeat(100);
    const [top, below] = [ignoresOf(long, ''), ignoresOf(long, 'b', [ignoresOf(long, '')])];
    expect([top.rules.length, below.rules.length]).toEqual([100, 28]);
    expect(ignoresOf('a', 'b/c', [top, below]).rules).toEqual([]);
  });

  it('reads a line of a million spaces at once', () => {
    const before = process.cpuUsage();
    expect(ignoresOf(`${' '.repeat(1_000_000)}x`, '').rules).toEqual([]);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
  });
});
