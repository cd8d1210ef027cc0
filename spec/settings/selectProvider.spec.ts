import { file, loaded, refusal, type World } from './deps';

const local = `
model_provider = "local"
[model_providers.local]
name = "Local"
base_url = "http://localhost:8080/v1"
`;

const providerOf = (world: World, config?: Record<string, unknown>) => loaded(world, { config }).provider;

describe('selectProvider', () => {
  it('completes a provider with defaults', () =>
    expect(providerOf({ toml: local })).toStrictEqual({
      id: 'local',
      name: 'Local',
      wireApi: 'responses',
      baseUrl: 'http://localhost:8080/v1',
      queryParams: {},
      httpHeaders: {},
      envHttpHeaders: {},
      requestMaxRetries: 4,
      streamMaxRetries: 5,
      maxRetries: 9,
      connectTimeoutMs: 15_000,
      answerTimeoutMs: 1_800_000,
      streamIdleTimeoutMs: 300_000,
      requiresOpenaiAuth: false,
    }));

  it('takes over all its fields, retries up to 100', () => {
    const toml = `${local}wire_api = "chat"
env_key = "KEY"
env_key_instructions = "Ask."
query_params = { v = "1" }
http_headers = { a = "b" }
env_http_headers = { c = "D" }
request_max_retries = 0
stream_max_retries = 1000
stream_idle_timeout_ms = 5
requires_openai_auth = true
`;
    expect(providerOf({ toml })).toStrictEqual({
      id: 'local',
      name: 'Local',
      wireApi: 'chat',
      baseUrl: 'http://localhost:8080/v1',
      envKey: 'KEY',
      envKeyInstructions: 'Ask.',
      queryParams: { v: '1' },
      httpHeaders: { a: 'b' },
      envHttpHeaders: { c: 'D' },
      requestMaxRetries: 0,
      streamMaxRetries: 100,
      maxRetries: 100,
      connectTimeoutMs: 15_000,
      answerTimeoutMs: 1_800_000,
      streamIdleTimeoutMs: 5,
      requiresOpenaiAuth: true,
    });
  });

  it.each<[baseUrl: string | undefined, id: string, env: Record<string, string>]>([
    [undefined, 'openai', {}],
    [undefined, 'openai', { OPENAI_BASE_URL: ' ' }],
    ['http://127.0.0.1:8/v1', 'openai', { OPENAI_BASE_URL: 'http://127.0.0.1:8/v1' }],
    ['https://eu.api.openai.com/v1', 'openai', { OPENAI_BASE_URL: 'https://eu.api.openai.com/v1' }],
    ['http://localhost:11434/v1', 'oss', {}],
    ['http://localhost:7/v1', 'oss', { CODEX_OSS_PORT: '7' }],
    ['http://s/v1', 'oss', { CODEX_OSS_PORT: '7', CODEX_OSS_BASE_URL: 'http://s/v1' }],
    [undefined, 'scripted', {}],
  ])('has address %s for built-in %s under %j', (baseUrl, id, env) =>
    expect(providerOf({ env, overrides: [`model_provider=${id}`] }).baseUrl).toBe(baseUrl),
  );

  it.each([
    ['openai', 'responses'],
    ['oss', 'chat'],
    ['scripted', 'scripted'],
  ])('reaches built-in %s by %s', (id, wireApi) =>
    expect(providerOf({ overrides: [`model_provider=${id}`] })).toMatchObject({ id, wireApi }),
  );

  it('lays a user entry over the built-in of the same name', () => {
    const toml = '[model_providers.openai]\nbase_url = "http://proxy/v1"\nenv_http_headers = { X = "Y" }\n';
    expect(providerOf({ toml, env: { OPENAI_BASE_URL: 'http://o/v1' } })).toMatchObject({
      name: 'OpenAI',
      baseUrl: 'http://proxy/v1',
      envHttpHeaders: { 'OpenAI-Project': 'OPENAI_PROJECT', X: 'Y' },
      requiresOpenaiAuth: true,
    });
  });

  const script = 'answers.jsonl';
  it.each<[path: string, because: string, world: World, config?: Record<string, unknown>]>([
    ['/home/answers.jsonl', 'the file', { toml: `[model_providers.scripted]\nscript = "${script}"` }],
    ['/project/answers.jsonl', 'a flag', { overrides: [`model_providers.scripted.script=${script}`] }],
    [
      '/project/answers.jsonl',
      'a call',
      { limits: { lock: false, allowCallOverride: false, allowCallConfig: ['model_providers'] } },
      { 'model_providers.scripted.script': script },
    ],
    ['/abs.jsonl', 'the file', { toml: '[model_providers.scripted]\nscript = "/abs.jsonl"' }],
  ])('finds the script at %s when named by %s', (path, _, world, config = {}) =>
    expect(providerOf(world, { model_provider: 'scripted', ...config })).toMatchObject({ script: path }),
  );

  const url = 'expected a URL such as "http://localhost:8080/v1"';
  it.each<[message: string, world: World]>([
    [
      `${file}:2: model_providers.p.base_url is missing, ${url}`,
      { toml: 'model_provider = "p"\n[model_providers.p]\nname = "p"' },
    ],
    [
      `${file}:5: model_providers.local.base_url is "localhost:8080", ${url}`,
      { toml: local.replace('http://localhost:8080/v1', 'localhost:8080') },
    ],
    [
      `environment variable OPENAI_BASE_URL: model_providers.openai.base_url is "ftp://x", ${url}`,
      { env: { OPENAI_BASE_URL: 'ftp://x' } },
    ],
    [
      'environment variable OPENAI_BASE_URL: the key of the provider openai is not sent to https://openai.com.evil.example, an address that the environment chose; set it by -c model_providers.openai.base_url=… or in config.toml',
      { env: { OPENAI_BASE_URL: 'https://openai.com.evil.example/v1' } },
    ],
    [
      'environment variable OPENAI_BASE_URL: the key of the provider openai is not sent to http://api.openai.com, an address that the environment chose; set it by -c model_providers.openai.base_url=… or in config.toml',
      { env: { OPENAI_BASE_URL: 'http://api.openai.com/v1' } },
    ],
    [
      `environment variable CODEX_OSS_PORT: model_providers.oss.base_url is "http://localhost:abc/v1", ${url}`,
      { env: { CODEX_OSS_PORT: 'abc' }, overrides: ['model_provider=oss'] },
    ],
  ])('refuses: %s', (message, world) => expect(refusal(world)).toBe(message));

  it('leaves a provider nobody selected without address in peace', () =>
    expect(providerOf({ toml: '[model_providers.p]\nname = "p"' }).id).toBe('openai'));
});

describe('the originator', () => {
  const key = 'responses_originator_header_internal_override';
  it.each<[string, World, string | undefined]>([
    ['none', {}, undefined],
    [
      'that of the configuration',
      { overrides: [`${key}=mine`], env: { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: 'e' } },
      'mine',
    ],
    ['that of the environment', { env: { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: 'e' } }, 'e'],
  ])('is %s', (_, world, originator) => {
    expect(loaded(world).provider.originator).toBe(originator);
  });
});
