/** Which environment a call may choose. Whole Configs are compared, as the ceiling is a part of making one. */

import type { ThreadSettings } from '../../../src/protocol/codex/settings';
import type { CallLimits } from '../../../src/settings/deps';
import { limitStored } from '../../../src/settings/limitStored';
import { depsOf, loaded, refusal, type World } from '../deps';

const environments =
  '[[environments]]\nid = "a"\nurl = "ws://a"\ndefault_cwd = "/a"\n[[environments]]\nid = "b"\nurl = "ws://b"\n';
const limits = (own: Partial<CallLimits>): CallLimits => ({
  lock: false,
  allowCallOverride: false,
  allowCallConfig: [],
  ...own,
});
const world = (toml: string, own: Partial<NonNullable<World>> = {}): World => ({
  toml,
  files: { '/home/environments.toml': environments },
  ...own,
});
const choose = (id: string): ThreadSettings => ({ config: { environment_id: id } });
const A = 'environment_id = "a"\n';

describe('limitEnvironment', () => {
  it.each<[string, World, string]>([
    ['one of environments.toml', world(''), 'a'],
    ['one of environments.toml beside that of the operator', world(A), 'b'],
    ['that of the operator', world(A, { limits: limits({ lock: true }) }), 'a'],
    ['that of a flag', world('', { overrides: ['environment_id=a'] }), 'a'],
    ['this machine, where threads work on it', world(''), 'local'],
    ['this machine, where it is listed', world(`${A}allowed_environments = ["local"]`), 'local'],
    ['any, with --allow-call-override', world(A, { limits: limits({ allowCallOverride: true }) }), 'local'],
    ['the one in the environment', world('', { env: { CODEX_EXEC_SERVER_URL: 'ws://y' } }), 'remote'],
  ])('lets a call choose %s', (_, given, id) => {
    expect(loaded(given, choose(id)).environmentId).toBe(id);
  });

  it.each<[string, World, string, RegExp]>([
    ['this machine where the operator sends threads elsewhere', world(A), 'local', /allows `a`, `b`, as the operator/],
    [
      'another than a flag names',
      world('', { overrides: ['environment_id=a'] }),
      'b',
      /-c environment_id .* names `a`/,
    ],
    ['this machine under a flag', world('', { overrides: ['environment_id=a'] }), 'local', /names `a`/],
    ['another under --lock', world('', { limits: limits({ lock: true }) }), 'a', /--lock keeps threads in `local`/],
    ['one that is not listed', world('allowed_environments = ["b"]'), 'a', /the operator allows `b`;/],
    ['any where none is listed', world('allowed_environments = []'), 'a', /the operator allows ;/],
  ])('refuses %s', (_, given, id, words) => {
    expect(refusal(given, choose(id))).toMatch(words);
    expect(refusal(given, choose(id))).toMatch(new RegExp(`^the call asks for environment_id = "${id}", but `));
  });

  it('holds a profile that the call names to the same list', () => {
    const toml = 'allowed_environments = ["b"]\n[profiles.p]\nenvironment_id = "a"\n';
    expect(refusal(world(toml), { profile: 'p' })).toMatch(/the operator allows `b`/);
    expect(loaded(world(`${toml}profile = "p"`.replace('[profiles.p]', '[profiles.p]')), {}).environmentId).toBe(
      'local',
    );
  });

  it('takes the list from the operator alone', () => {
    expect(refusal(world(''), { config: { allowed_environments: ['local'] } })).toMatch(
      /may not set allowed_environments/,
    );
    const toml = `${A}[profiles.p]\nenvironment_id = "local"\nallowed_environments = ["local"]\n`;
    expect(refusal(world(toml), { profile: 'p' })).toMatch(/the operator allows `a`, `b`/);
  });

  it('keeps threads elsewhere in the default folder under --lock', () => {
    const locked = world(A, { limits: limits({ lock: true }) });
    expect(loaded(locked, { cwd: '/a/sub' }).cwd).toBe('/a/sub');
    expect(refusal(locked, { cwd: '/project' })).toMatch(/is outside of \/a/);
    expect(refusal(locked, { cwd: '../b' })).toMatch(/is outside of/);
    const bare = world('environment_id = "b"', { limits: limits({ lock: true }) });
    expect(refusal(bare, { cwd: '/project' })).toMatch(/is outside of/);
  });

  it('reads no file of this machine for a call whose thread works elsewhere', () => {
    const files = { '/home/environments.toml': environments, '/a/secret': 'x' };
    const config = { environment_id: 'a', model_instructions_file: 'secret' };
    expect(refusal(world('', { files }), { config })).toMatch(
      /model_instructions_file: the file would be read on this machine/,
    );
    const allowed = limits({ allowCallConfig: ['model_instructions_file'] });
    expect(
      loaded(world('', { files, limits: allowed }), { config: { ...config, model_instructions_file: '/a/secret' } }),
    ).toMatchObject({
      baseInstructions: 'x',
    });
  });

  it('leaves a stored thread where its files are', () => {
    const stored = (toml: string, settings: ThreadSettings) => limitStored(depsOf(world(toml)))(settings).config;
    expect(stored('', {})).toEqual({});
    expect(stored('', choose('gone'))).toEqual({ environment_id: 'gone' });
    expect(stored(A, {})).toEqual({ environment_id: 'local' });
    expect(stored(A, choose('b'))).toEqual({ environment_id: 'b' });
  });
});
