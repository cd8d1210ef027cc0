import { isSecretName, isSecretSetting, secretPaths } from '../../../src/io/log/secretNames';

describe('isSecretName', () => {
  it.each<[string, unknown]>([
    ['Authorization', 'x'],
    ['x-api-key', 'x'],
    ['accessKey', 'x'],
    ['refresh_token', 1],
    ['DB_PASSWD', ''],
    ['Set-Cookie', ['a']],
  ])('knows %s', (name, value) => {
    expect(isSecretName(name, value)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['input_tokens', 7],
    ['tokenLimit', 7],
    ['author', 'x'],
    ['monkey', 'x'],
  ])('passes over %s', (name, value) => {
    expect(isSecretName(name, value)).toBe(false);
  });
});

describe('isSecretSetting', () => {
  it.each(['http_headers', 'query_params', 'set', 'bearer_token_env_var', 'api_key'])('knows %s', (key) => {
    expect(isSecretSetting(key)).toBe(true);
  });

  it.each(['model', 'sandbox_settings', 'base_url'])('passes over %s', (key) => {
    expect(isSecretSetting(key)).toBe(false);
  });
});

describe('secretPaths', () => {
  it('has those of the user, of Codex and of the machine', () => {
    const paths = secretPaths({ home: '/home/u', codexHome: '/home/u/.codex' });
    expect(paths).toEqual(
      expect.arrayContaining([
        '/home/u/.ssh',
        '/home/u/.aws',
        '/home/u/.netrc',
        '/home/u/.codex/auth.json',
        '/home/u/.codex/nats.password',
        '/home/u/.codex/sessions',
        '/home/u/.codex/history.jsonl',
        '/home/u/.codex/shell_snapshots',
        '/etc/shadow',
      ]),
    );
    expect(paths.every((path) => path.startsWith('/') && !path.endsWith('/'))).toBe(true);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has none in a home that nobody has', () => {
    const paths = secretPaths({ home: undefined, codexHome: '/codex' });
    expect(paths.filter((path) => !path.startsWith('/codex/') && !/^\/(etc|run|var)\//.test(path))).toEqual([]);
  });
});
