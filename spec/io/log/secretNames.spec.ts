import { isSecretName, isSecretSetting } from '../../../src/io/log/secretNames';

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
