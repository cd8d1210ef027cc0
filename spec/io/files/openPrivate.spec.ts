import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { openPrivate } from '../../../src/io/files/openPrivate';
import { modeOf, openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

const opening = (root: string, path: string, mode: 'read' | 'append') => () =>
  fs.closeSync(openPrivate({ fs, root }, path, mode));

describe('openPrivate', () => {
  it('makes a file for its owner only, and an open one private', () => {
    const root = openFolder();
    const [made, open] = [join(root, 'a/made'), join(root, 'open')];
    fs.writeFileSync(open, '', { mode: 0o644 });
    for (const path of [made, open]) opening(root, path, 'append')();
    expect([made, open].map(modeOf)).toEqual([0o600, 0o600]);
  });

  it('reads a file that others may read too, and leaves its mode', () => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'open'), '', { mode: 0o644 });
    opening(root, join(root, 'open'), 'read')();
    expect(modeOf(join(root, 'open'))).toBe(0o644);
  });

  it('follows no link, in no mode', () => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'target'), '');
    fs.symlinkSync(join(root, 'target'), join(root, 'link'));
    expect(opening(root, join(root, 'link'), 'read')).toThrow(/cannot be read: it is a link/);
    expect(opening(root, join(root, 'link'), 'append')).toThrow(/cannot be written: it is a link/);
  });

  it('does not wait for the other side of a FIFO', () => {
    const root = openFolder();
    execFileSync('mkfifo', [join(root, 'fifo')]);
    expect(opening(root, join(root, 'fifo'), 'read')).toThrow(/is not a regular file/);
    expect(opening(root, join(root, 'fifo'), 'append')).toThrow(/is not a regular file/);
  });
});
