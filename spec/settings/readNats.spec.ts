import { loadConfig } from '../../src/settings/loadConfig';
import { natsFiles, readNats } from '../../src/settings/readNats';
import { depsOf, refusal } from './deps';

const DEFAULTS = { prefix: 'codex-rx', inbox: '_INBOX', name: 'codex-rx' };

describe('readNats', () => {
  it('has defaults', () => {
    expect(readNats(depsOf({}))).toEqual(DEFAULTS);
  });

  it('reads the table, with paths from the folder of the file', () => {
    const toml =
      '[nats]\ncredentials = "a.creds"\nca = "/etc/ca.pem"\npassword_file = "p"\nuser = "u"\nprefix = "team"\n';
    expect(readNats(depsOf({ toml }))).toEqual({
      ...DEFAULTS,
      credentialsFile: '/home/a.creds',
      caFile: '/etc/ca.pem',
      passwordFile: '/home/p',
      user: 'u',
      prefix: 'team',
    });
  });

  it('prefers flags to the table, and the environment to both; a blank variable is none', () => {
    const env = { NATS_CREDS: 'b.creds', NATS_PASSWORD: 'secret', NATS_TOKEN: ' ', CODEX_RX_NATS_PREFIX: 'env' };
    const world = {
      toml: '[nats]\ncredentials = "a"\nuser = "u"\n',
      overrides: ['nats.user=v', 'nats.prefix=flag'],
      env,
    };
    expect(readNats(depsOf(world))).toEqual({
      ...DEFAULTS,
      credentialsFile: '/project/b.creds',
      user: 'v',
      prefix: 'env',
      password: 'secret',
    });
  });

  it('is no matter of a call, nor of a profile', () => {
    const toml = 'profile = "p"\n[nats]\nprefix = "team"\n[profiles.p.nats]\nprefix = "mine"\n';
    expect(readNats(depsOf({ toml }))).toMatchObject({ prefix: 'team' });
    expect(loadConfig(depsOf({ toml }))({}).warnings).toEqual([expect.stringContaining('profiles.p.nats')]);
    expect(refusal({}, { config: { 'nats.prefix': 'x' } })).toMatch(/a call may not set nats/);
    expect(refusal({}, { config: { nats: { credentials: '/x' } } })).toMatch(/a call may not set nats/);
  });

  it.each([
    ['prefix', 'a.b', 'letters, digits, - and _, up to 64 of them'],
    ['prefix', '>', 'letters, digits'],
    ['domain', 'a b', 'letters, digits'],
    ['inbox', '_INBOX.>', 'a subject without spaces, * and >'],
    ['inbox', 'a b', 'a subject without'],
  ])('refuses %s = %j with its place', (key, value, expected) => {
    expect(() => readNats(depsOf({ toml: `[nats]\n${key} = "${value}"\n` }))).toThrow(
      `/home/config.toml:2: nats.${key} is "${value}", expected ${expected}`,
    );
    const variable =
      { prefix: 'CODEX_RX_NATS_PREFIX', domain: 'NATS_JS_DOMAIN', inbox: 'NATS_INBOX_PREFIX' }[key] ?? '';
    expect(() => readNats(depsOf({ env: { [variable]: value } }))).toThrow(
      `${variable} is "${value}", expected ${expected}`,
    );
  });

  it('takes an inbox of more than one token', () => {
    expect(readNats(depsOf({ toml: '[nats]\ninbox = "_INBOX.ann"\n' }))).toMatchObject({ inbox: '_INBOX.ann' });
  });

  it('refuses a value of another kind with its place', () => {
    expect(() => readNats(depsOf({ toml: '[nats]\nprefix = 1\n' }))).toThrow(
      '/home/config.toml:2: nats.prefix is 1, expected a string',
    );
  });
});

describe('natsFiles', () => {
  it('names the files with secrets, from the table and the environment', () => {
    const toml = '[nats]\nkey = "tls.key"\nca = "/etc/ca.pem"\npassword_file = "p"\n';
    expect(natsFiles(depsOf({ toml, env: { NATS_CREDS: 'b.creds' } }))).toEqual([
      '/project/b.creds',
      '/home/p',
      '/home/tls.key',
    ]);
  });

  it('names none in a table that is faulty', () => {
    expect(natsFiles(depsOf({ toml: '[nats]\nkey = 1\n' }))).toEqual([]);
  });
});
