import fs from 'node:fs';
import { join } from 'node:path';
import { draftOf, dropOldDrafts } from '../../../src/io/files/privateFiles';
import { lockDeps, openFolder, removeFolders, systemError } from '../../support/files';

const NOW_MS = 1_000_000_000_000;
const draft = (path: string): string => draftOf({ newName: () => '0123456789ab' }, path);

const folderWith = (ages: Record<string, number>) => {
  const root = openFolder();
  for (const [name, ageMs] of Object.entries(ages)) {
    fs.writeFileSync(join(root, name), '');
    fs.utimesSync(join(root, name), 0, (NOW_MS - ageMs) / 1_000);
  }
  return { root, deps: { ...lockDeps(root), now: () => NOW_MS } };
};

describe('dropOldDrafts', () => {
  afterAll(removeFolders);

  it('removes a draft after a minute, and nothing else', () => {
    const { root, deps } = folderWith({
      [draft('a')]: 60_001,
      [draft('b')]: 60_000,
      a: 90_000,
      'a.new': 90_000,
      [`${draft('a')}.txt`]: 90_000,
    });
    fs.mkdirSync(join(root, draft('folder')));
    fs.utimesSync(join(root, draft('folder')), 0, 0);
    dropOldDrafts(deps, root);
    const kept = [draft('b'), 'a', 'a.new', `${draft('a')}.txt`, draft('folder')];
    expect(fs.readdirSync(root).sort()).toEqual(kept.sort());
  });

  it('removes only those of the files whose names begin so', () => {
    const { root, deps } = folderWith({ [draft('a')]: 90_000, [draft('b')]: 90_000 });
    dropOldDrafts(deps, root, 'a.');
    expect(fs.readdirSync(root)).toEqual([draft('b')]);
  });

  it('passes over a draft that is gone, a folder and a link, and removes the others', () => {
    const { root, deps } = folderWith({ [draft('a')]: 90_000, old: 90_000 });
    fs.mkdirSync(join(root, draft('folder')));
    fs.utimesSync(join(root, draft('folder')), 0, 0);
    fs.symlinkSync(join(root, 'old'), join(root, draft('link')));
    const readdirSync = (() => ['gone', 'folder', 'link', 'a'].map(draft)) as unknown as typeof fs.readdirSync;
    dropOldDrafts({ ...deps, fs: { ...fs, readdirSync } }, root);
    expect(fs.readdirSync(root).sort()).toEqual([draft('folder'), draft('link'), 'old'].sort());
  });

  it('leaves what cannot be removed', () => {
    const { root, deps } = folderWith({ [draft('a')]: 90_000 });
    const rmSync = () => {
      throw systemError('EPERM');
    };
    expect(() => dropOldDrafts({ ...deps, fs: { ...fs, rmSync } }, root)).not.toThrow();
    expect(() => dropOldDrafts(deps, join(root, 'none'))).not.toThrow();
  });
});
