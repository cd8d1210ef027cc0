import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import { tableOf } from '../../../src/settings/layer';
import { fileLayer } from '../../../src/settings/layers/fileLayer';
import { chooseProfile, profileFile, profileLayer } from '../../../src/settings/layers/profile';
import { toSources } from '../../../src/settings/layers/sources';
import { depsOf, type World } from '../deps';

const toml = 'profile = "a"\n[profiles.a]\nmodel = "m"\nsandbox_mode = "read-only"\nprofile = "b"\n';
const base = [{ path: [], value: tableOf(), folder: '/', where: () => 'default' }];
const sourcesOf = (world: World) => toSources([base, fileLayer(depsOf(world))]);

const chosen = (world: World, settings: ThreadSettings = {}) =>
  chooseProfile({ deps: depsOf(world), settings, sources: sourcesOf(world) });
const layer = (world: World, byCall = false, name = 'a') =>
  profileLayer(depsOf(world), { name, where: 'here', byCall }, sourcesOf(world)).map(({ value, where, folder }) => ({
    value: { ...(value as object) },
    folder,
    where: where(['model']),
  }));

describe('chooseProfile', () => {
  const call = { name: 'c', where: 'argument profile', byCall: true };
  it.each<[string, World, ThreadSettings, object | undefined]>([
    ['none where nothing names one ', {}, {}, undefined],
    ['the key of config.toml       ', { toml }, {}, { name: 'a', where: '/home/config.toml:1', byCall: false }],
    ['the flag before the key      ', { toml, profile: 'p' }, {}, { name: 'p', where: '-p p', byCall: false }],
    ['the argument before all      ', { toml, profile: 'p' }, { profile: 'c' }, call],
    [
      'the call’s config before -p  ',
      { toml, profile: 'p' },
      { config: { profile: 'a' } },
      {
        name: 'a',
        where: '/home/config.toml:1',
        byCall: true,
      },
    ],
  ])('is %s', (_, world, settings, expected) => {
    expect(chosen(world, settings)).toEqual(expected);
  });
});

describe('profileFile', () => {
  it.each([
    ['work', '/home/work.config.toml'],
    ['a.b', '/home/a.b.config.toml'],
    ['../a', undefined],
    ['.a', undefined],
    ['', undefined],
  ])('of %j is %j', (name, path) => {
    expect(profileFile('/home', name)).toBe(path);
  });
});

describe('profileLayer', () => {
  const table = { value: { model: 'm', sandbox_mode: 'read-only' }, folder: '/home', where: '/home/config.toml:3' };
  const files = { '/home/a.config.toml': 'model = "own"\n' };
  const own = { value: { model: 'own' }, folder: '/home', where: '/home/a.config.toml:1' };

  it.each<[string, World, boolean, object[]]>([
    ['the table, without profiles of its own', { toml }, false, [table]],
    ['the file before the table             ', { toml, files }, false, [own]],
    [
      'no model under -m                     ',
      { toml, model: 'x' },
      false,
      [{ ...table, value: { sandbox_mode: 'read-only' } }],
    ],
    ['the model that a call named under -m  ', { toml, model: 'x' }, true, [table]],
  ])('is %s', (_, world, byCall, expected) => {
    expect(layer(world, byCall)).toEqual(expected);
  });

  it('is empty without a profile, and throws for one that is nowhere', () => {
    expect(profileLayer(depsOf({ toml }), undefined, sourcesOf({ toml }))).toEqual([]);
    expect(() => layer({ toml }, false, 'toString')).toThrow(
      'here: config profile `toString` not found in /home/config.toml; known are `a`',
    );
    expect(() => layer({ toml, files: { '/home/b.config.toml': '', '/home/a.config.toml': '' } }, false, 'c')).toThrow(
      'known are `a`, `b`',
    );
  });
});
