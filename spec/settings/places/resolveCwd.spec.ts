import { ConfigError } from '../../../src/settings/faults/configError';
import { resolveCwd } from '../../../src/settings/places/placeThread';
import { depsOf } from '../deps';

describe('resolveCwd', () => {
  const folder = resolveCwd(depsOf());
  it.each([
    ['none', undefined, '/project'],
    ['one relative to that of the server', 'src/../lib', '/project/lib'],
    ['an absolute one', '/elsewhere', '/elsewhere'],
  ])('takes %s', (_, asked, path) => {
    expect(folder(asked)).toBe(path);
  });

  it('refuses one that is not there', () => {
    expect(() => folder('/nowhere')).toThrow(ConfigError);
  });
});
