import fs from 'node:fs';
import { join } from 'node:path';
import { checkFolders, makeFolder } from '../../../src/io/files/privateFolder';
import { modeOf, openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

describe('makeFolder', () => {
  it('makes the root and all below it for the owner only', () => {
    const root = join(openFolder(), 'home');
    makeFolder({ fs, root }, join(root, 'a/b'));
    expect([root, join(root, 'a'), join(root, 'a/b')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
  });

  it('leaves a folder that is there as it is', () => {
    const root = openFolder();
    fs.mkdirSync(join(root, 'a'), { mode: 0o755 });
    makeFolder({ fs, root }, join(root, 'a/b'));
    expect(modeOf(join(root, 'a'))).toBe(0o755);
  });

  it('does not go through a link, but the root may be one', () => {
    const root = openFolder();
    fs.symlinkSync(openFolder(), join(root, 'link'));
    expect(() => makeFolder({ fs, root }, join(root, 'link/b'))).toThrow(/link is a link, and links are not followed/);
    makeFolder({ fs, root: join(root, 'link') }, join(root, 'link/b'));
    expect(fs.existsSync(join(root, 'link/b'))).toBe(true);
  });

  it('goes through a link of the owner at a name where he may have one, to a folder that nobody else writes', () => {
    const [root, target] = [openFolder(), openFolder()];
    fs.symlinkSync(target, join(root, 'sessions'));
    fs.symlinkSync(target, join(root, 'other'));
    fs.mkdirSync(join(root, 'a'));
    fs.symlinkSync(target, join(root, 'a/sessions'));
    const deps = { fs, root, linkable: ['sessions'] };
    makeFolder(deps, join(root, 'sessions/2026'));
    checkFolders(deps, join(root, 'sessions/2026'));
    expect(fs.existsSync(join(target, '2026'))).toBe(true);
    for (const path of ['other/b', 'a/sessions/b'])
      expect(() => makeFolder(deps, join(root, path))).toThrow(/is a link, and links are not followed/);
    fs.chmodSync(target, 0o777);
    expect(() => checkFolders(deps, join(root, 'sessions/2026'))).toThrow(/is a link/);
    fs.chmodSync(target, 0o700);
    const others = {
      ...fs,
      lstatSync: (path: string) => Object.assign(fs.lstatSync(path), { uid: 4_000_000 }),
    } as unknown as typeof fs;
    expect(() => checkFolders({ ...deps, fs: others }, join(root, 'sessions/2026'))).toThrow(/is a link/);
  });

  it('refuses a file in the way, and a path that leads out', () => {
    const root = openFolder();
    fs.writeFileSync(join(root, 'a'), '');
    expect(() => makeFolder({ fs, root }, join(root, 'a/b'))).toThrow(/a is not a folder/);
    expect(() => makeFolder({ fs, root }, join(root, '../b'))).toThrow(/is not in/);
  });
});

describe('checkFolders', () => {
  it('passes folders that are missing, and throws at a link', () => {
    const root = openFolder();
    checkFolders({ fs, root }, join(root, 'none/b'));
    fs.symlinkSync('/nowhere', join(root, 'link'));
    expect(() => checkFolders({ fs, root }, join(root, 'link'))).toThrow(/is a link/);
  });
});
