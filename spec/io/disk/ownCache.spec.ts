import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ownCache } from '../../../src/io/disk/ownCache';
import { openHome, removeHomes } from '../../support/home';

afterEach(removeHomes);

describe('ownCache', () => {
  it('is in the folder of caches of the home, which may be missing, and be a link', () => {
    const home = realpathSync(openHome().path);
    expect(ownCache({ HOME: home })).toBe(join(home, '.cache/codex-rx'));
    mkdirSync(join(home, 'disk'));
    symlinkSync('disk', join(home, '.cache'));
    expect(ownCache({ HOME: home, XDG_CACHE_HOME: 'relative' })).toBe(join(home, 'disk/codex-rx'));
    expect(ownCache({ HOME: home, XDG_CACHE_HOME: join(home, 'mine') })).toBe(join(home, 'mine/codex-rx'));
  });

  it('is undefined without a home, and if it could not be made', () => {
    expect(ownCache({})).toBeUndefined();
    expect(ownCache({ HOME: 'relative' })).toBeUndefined();
    expect(ownCache({ HOME: join(openHome().path, 'gone') })).toBeUndefined();
  });
});
