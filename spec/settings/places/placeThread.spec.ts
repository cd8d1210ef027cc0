/** Where threads work. Whole Configs are compared. */
import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import { ConfigError } from '../../../src/settings/faults/configError';
import { resolveCwd } from '../../../src/settings/places/placeThread';
import { depsOf, loaded, refusal } from '../deps';

const environments = `
[[environments]]
id = "builder"
url = "ws://10.0.0.5:1"
default_cwd = "/srv/site/"
[[environments]]
id = "bare"
url = "ws://10.0.0.6:1"
[[environments]]
id = "crooked"
url = "ws://10.0.0.7:1"
default_cwd = "srv"
`;
const world = (toml = '', top = '') => ({ toml, files: { '/home/environments.toml': top + environments } });
const placed = (toml: string, settings: ThreadSettings = {}, top = '') => {
  const { environmentId, cwd } = loaded(world(toml, top), settings);
  return [environmentId, cwd];
};
const builder = 'environment_id = "builder"\n';

describe('placeThread', () => {
  it('puts threads on this machine unless something names another', () => {
    expect(placed('')).toEqual(['local', '/project']);
    expect(loaded({})).toMatchObject({ environmentId: 'local' });
  });

  it.each<[string, string, ThreadSettings, string]>([
    ['the file', builder, {}, ''],
    ['the profile', 'profile = "p"\nenvironment_id = "bare"\n[profiles.p]\nenvironment_id = "builder"', {}, ''],
    ['the call', '', { config: { environment_id: 'builder' } }, ''],
    ['the default of environments.toml', '', {}, 'default = "builder"\n'],
  ])('takes the environment of %s', (_, toml, settings, top) => {
    expect(placed(toml, settings, top)).toEqual(['builder', '/srv/site']);
  });

  it('lets the profile of a call win over its config, as for every key', () => {
    const toml = '[profiles.p]\nenvironment_id = "bare"';
    expect(placed(toml, { profile: 'p', config: { environment_id: 'builder' } })[0]).toBe('bare');
  });

  it('takes the default of environments.toml even if that keeps threads off this machine', () => {
    expect(placed('', {}, 'default = "builder"\ninclude_local = false\n')).toEqual(['builder', '/srv/site']);
  });

  it.each<[string, ThreadSettings, string]>([
    ['builder', {}, '/srv/site'],
    ['builder', { cwd: 'sub' }, '/srv/site/sub'],
    ['builder', { cwd: '/nowhere' }, '/nowhere'],
    ['bare', {}, ''],
    ['bare', { cwd: 'sub' }, 'sub'],
    ['bare', { cwd: '/nowhere' }, '/nowhere'],
  ])('does not look on this machine for the folder of a thread on %s: %j', (id, settings, cwd) => {
    expect(placed(`environment_id = "${id}"`, settings)).toEqual([id, cwd]);
  });

  it('knows no places of secrets on another machine, whose executor hides them', () => {
    expect(refusal(world(), { cwd: '/home/auth.json' })).toMatch(/auth\.json/);
    expect(placed(builder, { cwd: '/home/auth.json' })).toEqual(['builder', '/home/auth.json']);
  });

  it('does not trust a folder of another machine for its name', () => {
    const toml = `${builder}[projects."/project"]\ntrust_level = "trusted"`;
    expect(loaded(world(toml), { cwd: '/project' })).toMatchObject({ cwd: '/project', sandboxMode: 'read-only' });
  });

  it.each<[string, string, string, RegExp]>([
    ['an unknown environment', 'environment_id = "moon"', '', /environment `moon` not found/],
    [
      'a default folder that is relative',
      'environment_id = "crooked"',
      '',
      /default_cwd of `crooked` must be an absolute/,
    ],
    ['no environment at all', '', 'include_local = false\n', /include_local is false, and nothing names another/],
    ['a value that is no text', 'environment_id = 3', '', /environment_id is 3, expected a string/],
  ])('refuses %s', (_, toml, top, words) => {
    expect(refusal(world(toml, top))).toMatch(words);
  });
});

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

  it('refuses any if a link has replaced the folder of the server, which the system named without links', () => {
    const realpath = (path: string) => (path === '/project' ? '/etc' : path);
    const moved = "the server's working folder /project has become a link since the server started, and leads to /etc";
    for (const asked of [undefined, 'lib', '/elsewhere'])
      expect(() => resolveCwd(depsOf({ realpath }))(asked)).toThrow(moved);
    expect(resolveCwd(depsOf({ cwd: 'Z:\\w', realpath: () => '\\\\host\\w' }))('/elsewhere')).toBe('/elsewhere');
  });
});
