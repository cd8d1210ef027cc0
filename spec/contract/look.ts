/** What is found at the paths that a patch names, on whatever machine. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Seen } from '../../src/executor/patch/seen';
import { newFolder, put } from '../executor/localPatch/files';

/** The machine must have the disk that the specs have. */
export const lookContract = (look: (path: string, maxBytes: number) => Promise<Seen>): void => {
  const folder = newFolder();
  const at = (path: string): Promise<Seen> => look(`${folder}/${path}`, 1_000);

  put(folder, 'd/f', 'text\n');
  chmodSync(join(folder, 'd/f'), 0o750);
  symlinkSync('d', join(folder, 'link'));
  symlinkSync('d/f', join(folder, 'file'));
  symlinkSync('nowhere', join(folder, 'lost'));
  symlinkSync('loop', join(folder, 'loop'));
  mkdirSync(join(folder, 'other'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  put(folder, 'big', Buffer.alloc(1_001));

  const file = (entry: string): Seen => ({
    kind: 'file',
    real: join(folder, 'd/f'),
    entry: join(folder, entry),
    file: { bytes: Buffer.from('text\n'), mode: 0o750, access: 'writable' },
  });
  const blocked = (part: 'file' | 'parent', reason: string): Seen => ({ kind: 'blocked', part, reason });
  const MISSING = 'No such file or directory (os error 2)';

  it.each<[string, string, Seen]>([
    ['a file', 'd/f', file('d/f')],
    ['a file behind dots', './d/./../d/f', file('d/f')],
    ['a file in a linked folder', 'link/f', file('d/f')],
    ['a link to a file', 'file', file('file')],
    ['a link by way of a link', 'link/../file', file('file')],
  ])('reads %s', async (_, path, seen) => {
    expect(await at(path)).toEqual(seen);
  });

  it.each([
    ['a new file', 'new', 'new'],
    ['a new file in a new folder', 'x/y/new', 'x/y/new'],
    ['a new file behind dots', './x/./new', 'x/new'],
    ['a new file in a linked folder', 'link/x/new', 'd/x/new'],
    ['a new file above a linked folder', 'link/../new', 'new'],
  ])('finds the place of %s', async (_, path, real) => {
    expect(await at(path)).toEqual({ kind: 'absent', real: join(folder, real) });
  });

  it.each<[string, string, Seen]>([
    ['a folder', 'd', blocked('file', 'Is a directory (os error 21)')],
    ['a path that ends like one', 'd/f/', blocked('file', 'Is a directory (os error 21)')],
    ['a path below a file', 'd/f/x', blocked('parent', 'Not a directory (os error 20)')],
    ['a path below that', 'd/f/x/y', blocked('parent', 'Not a directory (os error 20)')],
    ['a link to nothing', 'lost', blocked('file', MISSING)],
    ['a link to itself', 'loop', blocked('file', 'Too many levels of symbolic links (os error 40)')],
    ['the way back from a folder that is not there', 'x/../d/f', blocked('parent', MISSING)],
    ['a pipe', 'pipe', blocked('file', 'it is not a regular file')],
    ['too large a file', 'big', blocked('file', 'it has 1001 bytes, and only 1000 are left for the files of a patch')],
    ['a name that is too long', 'x'.repeat(300), blocked('file', 'File name too long (os error 36)')],
  ])('does not take %s for a file', async (_, path, seen) => {
    expect(await at(path)).toEqual(seen);
  });
};
