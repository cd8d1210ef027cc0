import { environmentToken, readEnvironment } from '../../../src/settings/places/readEnvironment';

const toml = `
[[environments]]
id = "box"
url = "ws://10.0.0.5:1"
[[environments]]
id = "ssh"
program = "ssh"
args = ["host", "codex-rx"]
cwd = "/w"
[environments.env]
A = "b"
[[environments]]
id = "both"
url = "ws://x"
program = "x"
[[environments]]
id = "build"
url = "nats://10.0.0.5"
executor = "build-1"
[[environments]]
id = "linux"
url = "tls://a,b"
pool = "linux"
[[environments]]
id = "neither"
url = "nats://10.0.0.5"
[[environments]]
id = "two"
url = "nats://10.0.0.5"
executor = "a"
pool = "b"
[[environments]]
id = "dotted"
url = "nats://10.0.0.5"
pool = "linux.*"
`;
const find = (env: Record<string, string> = {}, text: string | null = toml) =>
  readEnvironment({
    codexHome: '/codex',
    env,
    readFile: (path) => (path === '/codex/environments.toml' ? (text ?? undefined) : undefined),
  });

describe('readEnvironment', () => {
  it.each<[string, Record<string, string>, object]>([
    ['local', {}, { kind: 'local' }],
    ['remote', { CODEX_EXEC_SERVER_URL: 'ws://y' }, { kind: 'url', url: 'ws://y' }],
    ['box', {}, { kind: 'url', url: 'ws://10.0.0.5:1' }],
    ['build', {}, { kind: 'fleet', url: 'nats://10.0.0.5', executor: 'build-1' }],
    ['linux', {}, { kind: 'fleet', url: 'tls://a,b', pool: 'linux' }],
    ['ssh', {}, { kind: 'command', argv: ['ssh', 'host', 'codex-rx'], env: { A: 'b' }, cwd: '/w' }],
  ])('finds %s', (id, env, environment) => {
    expect(find(env)(id)).toEqual(environment);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'moon',
      {},
      /environment_id: environment `moon` not found in \/codex\/environments.toml; known are `local`, `box`/,
    ],
    [
      'remote',
      { CODEX_EXEC_SERVER_URL: 'none' },
      /`remote` not found in CODEX_EXEC_SERVER_URL, which is not set, nor in \/codex/,
    ],
    ['neither', {}, /environment `neither` has a url of NATS, so it must have an executor or a pool/],
    ['two', {}, /must have an executor or a pool/],
    [
      'dotted',
      {},
      /environment `dotted`: "linux\.\*" is not a name of an executor or a pool, which has letters, digits/,
    ],
    ['remote', { CODEX_EXEC_SERVER_URL: 'nats://h' }, /CODEX_EXEC_SERVER_URL has a url of NATS/],
    ['both', {}, /environment `both` must have a url, or a program/],
  ])('refuses %s', (id, env, words) => {
    expect(() => find(env)(id)).toThrow(words);
  });

  it('gives each exec-server its own token, and the general one to the only one', () => {
    const general = { CODEX_RX_EXEC_TOKEN: 'g', BOX: 'b' };
    const two = '[[environments]]\nid = "a"\nurl = "ws://a"\n[[environments]]\nid = "b"\nurl = "ws://b"\n';
    const named = `${two}bearer_token_env_var = "BOX"\n`;
    const one = '[[environments]]\nid = "a"\nurl = "ws://a"\n';
    expect(find(general, one)('a')).toEqual({ kind: 'url', url: 'ws://a', token: 'g' });
    expect(find(general, two)('a')).toEqual({ kind: 'url', url: 'ws://a' });
    expect(find(general, named)('b')).toEqual({ kind: 'url', url: 'ws://b', token: 'b' });
    const remote = { ...general, CODEX_EXEC_SERVER_URL: 'ws://y' };
    expect(find(remote, two)('remote')).toEqual({ kind: 'url', url: 'ws://y', token: 'g' });
    expect(find(remote, one)('a')).toEqual({ kind: 'url', url: 'ws://a' });
    expect(find({}, named.replace('ws://b', 'nats://b').concat('pool = "p"\n'))('b')).toMatchObject({ kind: 'fleet' });
  });

  it('needs no file for this machine', () => {
    expect(find({}, null)('local')).toEqual({ kind: 'local' });
    expect(() => find({}, null)('box')).toThrow(/known are `local`/);
  });

  it('names the line that is missing before an environment', () => {
    expect(() => find({}, 'id = "linux"\nurl = "nats://x"\npool = "linux"')('linux')).toThrow(
      '/codex/environments.toml: an environment begins with a line [[environments]]; put it before `id`',
    );
  });
});

const env = { CODEX_RX_EXEC_TOKEN: 'general', BOX: 'of box', EMPTY: '' };
const tokenOf = (table: object, isOnly = false) =>
  environmentToken({ env }, { table: { ...table }, where: 'f: environment `a`', isOnly });

describe('environmentToken', () => {
  it('is that of the variable which is named, else the one in the table, else the general one', () => {
    expect(tokenOf({ bearer_token_env_var: 'BOX', auth_bearer_token: 'x' }, true)).toBe('of box');
    expect(tokenOf({ auth_bearer_token: 'x' }, true)).toBe('x');
    expect(tokenOf({}, true)).toBe('general');
  });

  it('is not the general one if there are several addresses', () => {
    expect(tokenOf({})).toBeUndefined();
  });

  it.each(['NONE', 'EMPTY'])('refuses the variable %s, which is not set', (name) => {
    expect(() => tokenOf({ bearer_token_env_var: name }, true)).toThrow(
      `f: environment \`a\`: bearer_token_env_var names ${name}, which is not set; set it for codex-rx`,
    );
  });
});
