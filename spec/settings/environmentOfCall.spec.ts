import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { allowedEnvironment, codexOf, environmentOfCall } from '../../src/settings/environmentOfCall';
import { depsOf, type World } from './deps';

const read = (world: World, settings?: ThreadSettings) => environmentOfCall(depsOf(world), settings);
const files = { '/home/environments.toml': 'default = "d"\n' };

describe('environmentOfCall', () => {
  it.each<[string, World, ThreadSettings | undefined, string]>([
    ['this machine', {}, undefined, 'local'],
    ['the default of environments.toml', { files }, undefined, 'd'],
    ['the file', { files, toml: 'environment_id = "a"' }, undefined, 'a'],
    ['a flag', { toml: 'environment_id = "a"', overrides: ['environment_id=b'] }, undefined, 'b'],
    ['the call', { toml: 'environment_id = "a"' }, { config: { environment_id: 'c' } }, 'c'],
    [
      'a profile',
      { toml: '[profiles.p]\nenvironment_id = "p"' },
      { profile: 'p', config: { environment_id: 'c' } },
      'p',
    ],
  ])('takes %s', (_, world, settings, id) => {
    expect(read(world, settings)).toBe(id);
  });

  it('does not mind values that only Codex reads', () => {
    expect(read({ toml: 'model = 3\nenvironment_id = "a"' })).toBe('a');
  });
});

describe('allowedEnvironment', () => {
  const two = {
    '/home/environments.toml':
      '[[environments]]\nid = "a"\nurl = "ws://a"\n[[environments]]\nid = "b"\nurl = "ws://b"\n',
  };
  const of = (world: World, environment_id?: string) =>
    allowedEnvironment(depsOf({ files: two, ...world }), { config: { ...(environment_id && { environment_id }) } });

  it.each<[string, World, string | undefined, string]>([
    ['the one of the operator', { toml: 'environment_id = "a"' }, undefined, 'a'],
    ['one of environments.toml', { toml: 'environment_id = "a"' }, 'b', 'b'],
    [
      'this machine, where it is named',
      { toml: 'environment_id = "a"\nallowed_environments = ["local"]' },
      'local',
      'local',
    ],
  ])('is %s', (_, world, asked, id) => {
    expect(of(world, asked)).toBe(id);
  });

  it.each<[string, World, string]>([
    ['this machine, where the operator sends threads elsewhere', { toml: 'environment_id = "a"' }, 'local'],
    ['what is not allowed', { toml: 'environment_id = "a"\nallowed_environments = ["a"]' }, 'b'],
    ['another one than that of a flag', { overrides: ['environment_id=a'] }, 'b'],
  ])('refuses %s', (_, world, asked) => {
    expect(() => of(world, asked)).toThrow(`the call asks for environment_id = "${asked}", but`);
  });
});

const withCodex = {
  '/home/environments.toml':
    'default = "a"\n[[environments]]\nid = "a"\nurl = "ws://a"\n[[environments]]\nid = "b"\nurl = "ws://b"\ncodex = "/opt/codex"\n[[environments]]\nid = "c"\nurl = "ws://c"\n',
};

describe('codexOf', () => {
  it.each([
    ['the program of the flag, if the operator sends all threads there', 'a', '/flag', '/flag'],
    ['the program that the environment names', 'b', '/flag', '/opt/codex'],
    ['codex in PATH elsewhere', 'c', '/flag', 'codex'],
    ['codex in PATH without a flag', 'a', undefined, 'codex'],
  ])('is %s', (_, id, named, path) => {
    expect(codexOf(depsOf({ files: withCodex }), id, named)).toBe(path);
  });
});
