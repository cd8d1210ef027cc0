import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChange } from '../../../src/executor/files';
import { committedSince, toPlan } from '../../../src/executor/localPatch/patchHere';
import { newFolder } from './files';

describe('committedSince', () => {
  const root = newFolder();
  const AT = 1_700_000_000;

  /** A file of a repository that was written at this time, in seconds. */
  const put = (path: string, seconds: number, text = '') => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
    utimesSync(join(root, path), seconds, seconds);
  };

  it.each(['logs/HEAD', 'COMMIT_EDITMSG'])('finds a commit by %s of a repository above', async (name) => {
    put(`${name[0]}/.git/${name}`, AT);
    const folders = [join(root, `${name[0]}/src/deep`), join(root, `${name[0]}/src`)];
    expect(await committedSince(folders, AT * 1000 - 1)).toBe(true);
    expect(await committedSince(folders, AT * 1000)).toBe(false);
  });

  it('follows the file of a work tree', async () => {
    put('repo/.git/worktrees/w/logs/HEAD', AT);
    put('w/.git', 0, 'gitdir: ../repo/.git/worktrees/w\n');
    expect(await committedSince([join(root, 'w')], AT * 1000 - 1)).toBe(true);
  });

  it('waits for no pipe, and reads no device and no link, that a command has put in the place of the file', async () => {
    put('pipe/x', AT);
    put('link/x', AT);
    execFileSync('mkfifo', [join(root, 'pipe/.git')]);
    symlinkSync('/dev/zero', join(root, 'link/.git'));
    expect(await committedSince([join(root, 'pipe'), join(root, 'link')], 0)).toBe(false);
  });

  it('is false without a repository, and for one that cannot be read', async () => {
    put('x/.git', 0, 'none');
    expect(await committedSince([join(root, 'x'), '/none', '/'], 0)).toBe(false);
  });
});

const content = { bytes: Buffer.from('a'), mode: 0o755 };
const change: FileChange = { path: 'a', absolute: '/w/a', real: '/w/a', found: 'file' };

describe('toPlan', () => {
  it.each<[string, FileChange, object]>([
    [
      'a file that is new',
      { ...change, after: content },
      { before: undefined, after: { ...content, access: 'writable' } },
    ],
    [
      'a file that goes',
      { ...change, before: content },
      { before: { ...content, access: 'writable' }, after: undefined },
    ],
    ['a file that moves', { ...change, movedTo: '/w/b' }, { movedTo: '/w/b', before: undefined, after: undefined }],
  ])('plans %s', (_, given, states) => {
    expect(toPlan(given)).toEqual({ ...change, ...states });
  });
});
