import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { type CachePlace, cacheFolder } from '../../../src/cli/start/start';
import { openHome, removeHomes } from '../../support/home';
import { until } from '../../support/processes';

afterEach(removeHomes);

const uid = process.getuid?.();

/** Prepares a home; returns what is not as it is by default. */
type Prepare = (home: string) => Partial<CachePlace> | undefined;

/** The folder for a build of a user whose home is a new one. */
const folderFor = (prepare: Prepare = () => undefined): { home: string; folder: string | undefined } => {
  const { path: home, work } = openHome();
  const given = prepare(home);
  return { home, folder: cacheFolder({ env: { HOME: home }, cwd: () => work, uid, build: 'abc', ...given }) };
};

const make = (path: string, mode = 0o700): string => {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
};

describe('cacheFolder', () => {
  it('makes a folder that only the user can enter', () => {
    const { home, folder } = folderFor();
    expect(folder).toBe(join(home, '.cache/codex-rx/abc'));
    for (const path of ['.cache', '.cache/codex-rx', '.cache/codex-rx/abc'])
      expect(lstatSync(join(home, path)).mode & 0o777).toBe(0o700);
  });

  it('takes XDG_CACHE_HOME, and the folder that is there', () => {
    const { home, folder } = folderFor((home) => {
      make(join(home, 'mine/codex-rx/abc'));
      return { env: { HOME: home, XDG_CACHE_HOME: join(home, 'mine') } };
    });
    expect(folder).toBe(join(home, 'mine/codex-rx/abc'));
  });

  it('ignores a relative XDG_CACHE_HOME', () => {
    const { home, folder } = folderFor((home) => ({ env: { HOME: home, XDG_CACHE_HOME: 'mine' } }));
    expect(folder).toBe(join(home, '.cache/codex-rx/abc'));
  });

  it('follows a link to the folder of all caches, whose target is checked', () => {
    const { home, folder } = folderFor((home) => {
      symlinkSync(make(join(home, 'disk')), join(home, '.cache'));
    });
    expect(folder).toBe(join(home, 'disk/codex-rx/abc'));
  });

  it.each<[string, Prepare]>([
    ['the system knows no users', () => ({ uid: undefined })],
    ['the home is that of another user', () => ({ uid: 4_000_000 })],
    ['there is no home', () => ({ env: {} })],
    ['the home is missing', (home) => ({ env: { HOME: join(home, 'gone') } })],
    ['nothing can be made in the home', () => ({ env: { HOME: '/proc/self' } })],
    ['the home is in the workspace', (home) => ({ cwd: () => home })],
    ['the workspace is all there is', () => ({ cwd: () => '/' })],
    [
      'the working folder has been removed',
      () => ({
        cwd: () => {
          throw new Error('ENOENT');
        },
      }),
    ],
    [
      'it would be in the temporary folder of commands',
      (home) => ({ env: { HOME: '/nowhere', TMPDIR: home, XDG_CACHE_HOME: make(join(home, 'caches')) } }),
    ],
    ['other users can write to the caches', (home) => void make(join(home, '.cache'), 0o777)],
    ['other users can write to it', (home) => void make(join(home, '.cache/codex-rx/abc'), 0o770)],
    [
      'it is a link',
      (home) => void symlinkSync(make(join(home, 'other')), join(make(join(home, '.cache/codex-rx')), 'abc')),
    ],
    [
      'the folder above it is a link',
      (home) => void symlinkSync(make(join(home, 'other')), join(make(join(home, '.cache')), 'codex-rx')),
    ],
  ])('is none if %s', (_, prepare) => {
    expect(folderFor(prepare).folder).toBeUndefined();
  });

  it('makes nothing in the workspace', () => {
    const { home } = folderFor((home) => ({ cwd: () => home }));
    expect(existsSync(join(home, '.cache'))).toBe(false);
  });

  it('leaves the three newest folders of other builds', async () => {
    const top = (home: string) => join(home, '.cache/codex-rx');
    const { home } = folderFor((home) => {
      for (const age of [5, 4, 3, 2, 1]) utimesSync(make(join(top(home), `b${age}`)), 1000 - age, 1000 - age);
    });
    await until(() => readdirSync(top(home)).length === 4, 'the removal of the oldest');
    expect(readdirSync(top(home)).sort()).toEqual(['abc', 'b1', 'b2', 'b3']);
  });
});
