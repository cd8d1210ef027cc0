import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstValueFrom, lastValueFrom, reduce } from 'rxjs';
import { walkFiles } from '../../../src/server/host/walkFiles';

describe('walkFiles', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'walk-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

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
    let [turns, isOver] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    expect(await files()).toHaveLength(300);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });

  it('reads nothing more when it is unsubscribed', async () => {
    for (const path of ['a', 'd/b', 'd/e/c']) write(path);
    expect(await firstValueFrom(walkFiles(root))).toEqual(['a']);
  });
});
