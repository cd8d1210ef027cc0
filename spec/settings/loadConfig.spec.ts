import type { ThreadSettings } from '../../src/protocol/codex/settings';
import type { Config } from '../../src/settings/config';
import { loadConfig } from '../../src/settings/loadConfig';
import { depsOf, file, loaded, refusal, type World } from './deps';

const profiles = `
[profiles.a]
model = "of-a"
sandbox_mode = "workspace-write"
[profiles.b]
model = "of-b"
`;

describe('loadConfig', () => {
  it('knows which writable roots the user names, and which a call', () => {
    const toml = `[sandbox_workspace_write]\nwritable_roots = ["/data"]\n[profiles.p.sandbox_workspace_write]\nwritable_roots = ["/p"]`;
    const rootsIn = (settings: ThreadSettings) => loaded({ toml }, settings).workspaceWrite.ownRoots;
    const call = { sandbox_workspace_write: { writable_roots: ['/data', '/other'] } };
    expect([{}, { config: call }, { profile: 'p' }].map(rootsIn)).toEqual([['/data'], ['/data'], ['/p']]);
    const one = { sandbox_workspace_write: { writable_roots: ['/other'] } };
    expect(loaded({ toml }, { config: one }).workspaceWrite).toMatchObject({ writableRoots: ['/other'] });
    expect(rootsIn({ config: one })).toBeUndefined();
  });

  it('fills in defaults if nothing is configured', () => {
    const config: Config = {
      model: 'gpt-5',
      provider: {
        id: 'openai',
        name: 'OpenAI',
        wireApi: 'responses',
        queryParams: {},
        httpHeaders: {},
        envHttpHeaders: { 'OpenAI-Organization': 'OPENAI_ORGANIZATION', 'OpenAI-Project': 'OPENAI_PROJECT' },
        requestMaxRetries: 4,
        streamMaxRetries: 5,
        maxRetries: 9,
        connectTimeoutMs: 15_000,
        answerTimeoutMs: 1_800_000,
        streamIdleTimeoutMs: 300_000,
        requiresOpenaiAuth: true,
      },
      approvalPolicy: 'on-request',
      sandboxMode: 'read-only',
      workspaceWrite: { writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false },
      alwaysSandboxed: false,
      environmentId: 'local',
      cwd: '/project',
      folders: { '/project': '/project' },
      includePlanTool: false,
      reasoningEffort: 'medium',
      reasoningSummary: 'auto',
      supportsReasoningSummaries: true,
      contextWindow: 400_000,
      disableResponseStorage: false,
      showRawReasoning: false,
      projectDocMaxBytes: 32_768,
      shellEnvironment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
      mcpServers: {},
      history: { persistence: 'none' },
      tools: { webSearch: false, viewImage: true },
      preferredAuthMethod: 'chatgpt',
      warnings: [],
    };
    expect(loaded({})).toStrictEqual(config);
  });

  it('reads every key that counts', () => {
    const toml = `
model = "x"
model_context_window = 0x10
model_reasoning_effort = "xhigh"
model_reasoning_summary = "none"
model_verbosity = "low"  # of no effect for this model
model_supports_reasoning_summaries = true
approval_policy = "never"
sandbox_mode = "danger-full-access"
disable_response_storage = true
show_raw_agent_reasoning = true
project_doc_max_bytes = 0
sandbox_workspace_write = { writable_roots = ["/data", "sub"], network_access = true, exclude_tmpdir_env_var = true, exclude_slash_tmp = true, unix_sockets = true, devices = ["/dev/kvm"] }
developer_instructions = "D"
compact_prompt = "C"
experimental_instructions_file = "ins.md"
shell_environment_policy = { inherit = "core", ignore_default_excludes = true, exclude = ["A*"], set = { B = "1" }, include_only = ["B"] }
`;
    expect(loaded({ toml, files: { '/home/ins.md': '  Be brief.\n' } })).toMatchObject({
      model: 'x',
      contextWindow: 16,
      reasoningEffort: 'xhigh',
      reasoningSummary: 'none',
      supportsReasoningSummaries: true,
      approvalPolicy: 'never',
      sandboxMode: 'danger-full-access',
      disableResponseStorage: true,
      showRawReasoning: true,
      projectDocMaxBytes: 0,
      workspaceWrite: {
        writableRoots: ['/data', '/home/sub'],
        networkAccess: true,
        excludeTmpdirEnvVar: true,
        excludeSlashTmp: true,
        unixSockets: true,
        devices: ['/dev/kvm'],
      },
      baseInstructions: 'Be brief.',
      developerInstructions: 'D',
      compactPrompt: 'C',
      shellEnvironment: {
        inherit: 'core',
        ignoreDefaultExcludes: true,
        exclude: ['A*'],
        set: { B: '1' },
        includeOnly: ['B'],
      },
    });
  });

  it('lets every argument of the call win', () => {
    const toml = `approval_policy = "never"\nsandbox_mode = "read-only"\ndeveloper_instructions = "D"\ncompact_prompt = "C"`;
    const settings: ThreadSettings = {
      model: 'm',
      cwd: 'sub',
      approvalPolicy: 'untrusted',
      sandbox: 'workspace-write',
      baseInstructions: '',
      developerInstructions: 'd',
      compactPrompt: 'c',
      includePlanTool: true,
    };
    expect(loaded({ toml }, settings)).toMatchObject({
      model: 'm',
      cwd: '/project/sub',
      approvalPolicy: 'untrusted',
      sandboxMode: 'workspace-write',
      baseInstructions: '',
      developerInstructions: 'd',
      compactPrompt: 'c',
      includePlanTool: true,
    });
  });

  it.each<[model: string, because: string, world: World, settings: ThreadSettings]>([
    ['gpt-5', 'nothing is set', {}, {}],
    ['file', 'the file says so', { toml: 'model="file"' }, {}],
    ['c', '-c beats the file', { toml: 'model="file"', overrides: ['model=c'] }, {}],
    ['d', 'the later -c wins', { overrides: ['model=c', 'model=d'] }, {}],
    ['m', '-m beats -c', { overrides: ['model=c'], model: 'm' }, {}],
    ['call', 'config beats -m', { model: 'm' }, { config: { model: 'call' } }],
    ['arg', 'the argument beats config', {}, { model: 'arg', config: { model: 'call' } }],
    ['of-a', 'a profile beats the file', { toml: `model="file"\nprofile="a"${profiles}` }, {}],
    ['of-a', 'a profile beats -c', { toml: profiles, overrides: ['model=c', 'profile=a'] }, {}],
    ['of-a', 'a profile beats config', { toml: profiles, profile: 'a' }, { config: { model: 'call' } }],
    ['of-b', '-p beats the key profile', { toml: `profile="a"${profiles}`, profile: 'b' }, {}],
    ['of-b', 'config.profile beats -p', { toml: profiles, profile: 'a' }, { config: { profile: 'b' } }],
    [
      'of-b',
      'argument profile beats all',
      { toml: profiles, profile: 'a' },
      { profile: 'b', config: { profile: 'a' } },
    ],
    ['m', '-m beats the model of the profile of -p', { toml: profiles, profile: 'a', model: 'm' }, {}],
    ['call', 'config beats -m there too', { toml: profiles, profile: 'a', model: 'm' }, { config: { model: 'call' } }],
    ['of-a', 'a profile named by the call beats -m', { toml: profiles, model: 'm' }, { profile: 'a' }],
    ['of-a', 'so does one named in config', { toml: profiles, model: 'm' }, { config: { profile: 'a' } }],
    ['arg', 'the argument beats a profile', { toml: profiles, profile: 'a' }, { model: 'arg' }],
  ])('takes model %s because %s', (model, _, world, settings) => expect(loaded(world, settings).model).toBe(model));

  it('takes sandbox_mode from a profile', () =>
    expect(loaded({ toml: profiles, profile: 'a' }).sandboxMode).toBe('workspace-write'));

  it('keeps the rest of a profile whose model -m replaces', () =>
    expect(loaded({ toml: profiles, profile: 'a', model: 'm' })).toMatchObject({
      model: 'm',
      sandboxMode: 'workspace-write',
    }));

  it.each([
    [['/low', '/call'], { 'shell_environment_policy.exclude': ['/low', '/call'] }],
    [['b'], { shell_environment_policy: { exclude: ['a'] }, 'shell_environment_policy.exclude': ['b'] }],
    [['a'], { 'shell_environment_policy.exclude': ['b'], shell_environment_policy: { exclude: ['a'] } }],
  ])('applies config entries in the order given: %j', (exclude, config) =>
    expect(loaded({}, { config }).shellEnvironment.exclude).toEqual(exclude),
  );

  it('mixes tables of several layers', () => {
    const world = {
      toml: '[shell_environment_policy.set]\nA = "file"\nB = "file"\nC = "file"',
      overrides: ['shell_environment_policy.set.B=flag'],
      limits: { lock: false, allowCallOverride: false, allowCallConfig: ['shell_environment_policy.set'] },
    };
    const config = { shell_environment_policy: { set: { C: 'call' } } };
    expect(loaded(world, { config }).shellEnvironment.set).toEqual({ A: 'file', B: 'flag', C: 'call' });
  });

  it('reads the file afresh for each thread', () => {
    const texts = ['model = "one"', 'model = "two"'];
    const load = loadConfig(depsOf({ readFile: (path) => (path === file ? texts.shift() : undefined) }));
    expect([load({}).model, load({}).model]).toEqual(['one', 'two']);
  });

  it('freezes all of it', () => {
    const config = loaded({ toml: '[shell_environment_policy.set]\nA = "1"' });
    const parts = [config, config.provider, config.provider.envHttpHeaders, config.shellEnvironment.set];
    expect(parts.map(Object.isFrozen)).toEqual([true, true, true, true]);
  });

  it('ignores a .env file', () => {
    const files = { '/home/.env': 'OPENAI_BASE_URL=http://evil', '/project/.env': 'OPENAI_BASE_URL=http://evil' };
    expect(loaded({ files }).provider).not.toHaveProperty('baseUrl');
  });

  it('ignores keys it does not know, and those of newer Codex releases', () => {
    const toml = 'nope = 1\nfile_opener = "zed"\n[tools]\nweb_search = "live"\n';
    const warnings = [`${file}:1: nope is no key of the configuration, and has no effect`];
    expect(loaded({ toml })).toEqual({ ...loaded({}), tools: { webSearch: true, viewImage: true }, warnings });
  });

  it('takes a time no timer can wait for as the longest one', () => {
    const toml = `[mcp_servers.git]
command = "git-mcp"
startup_timeout_sec = 9999999
tool_timeout_sec = 1e10
`;
    const longest = 2 ** 31 - 1;
    expect(loaded({ toml })).toMatchObject({
      mcpServers: { git: { startTimeoutMs: longest, toolTimeoutMs: longest } },
    });
  });

  it('takes the servers whose tools the model may call, less those that are switched off', () => {
    const toml = `[mcp_servers.git]
command = "git-mcp"
args = ["--stdio"]
env = { A = "b" }
startup_timeout_sec = 2.5
tool_timeout_sec = 30
disabled_tools = ["push"]
[mcp_servers.off]
command = "x"
enabled = false
[mcp_servers.web]
url = "https://x.test/mcp"
bearer_token_env_var = "WEB_TOKEN"
http_headers = { X-Team = "a" }
env_http_headers = { X-Key = "WEB_KEY" }
startup_timeout_ms = 300
`;
    expect(loaded({ toml })).toMatchObject({
      mcpServers: {
        git: {
          command: 'git-mcp',
          args: ['--stdio'],
          env: { A: 'b' },
          httpHeaders: {},
          envHttpHeaders: {},
          startTimeoutMs: 2_500,
          toolTimeoutMs: 30_000,
          disabledTools: ['push'],
        },
        web: {
          url: 'https://x.test/mcp',
          bearerTokenEnvVar: 'WEB_TOKEN',
          httpHeaders: { 'X-Team': 'a' },
          envHttpHeaders: { 'X-Key': 'WEB_KEY' },
          args: [],
          env: {},
          startTimeoutMs: 300,
          toolTimeoutMs: 60_000,
          disabledTools: [],
        },
      },
    });
    expect(Object.keys((loaded({ toml }) as Config).mcpServers)).toEqual(['git', 'web']);
  });
});

describe('loadConfig refusing', () => {
  it.each<[message: string, world: World, settings?: ThreadSettings]>([
    [
      `${file}:3: approval_policy is 3, expected one of "untrusted", "on-failure", "on-request", "never"`,
      { toml: '# mine\n\napproval_policy = 3\n' },
    ],
    [
      [
        `${file}:1: model is 3, expected a string`,
        `${file}:5: sandbox_workspace_write.network_access is "yes", expected true or false`,
        `${file}:2: notify[0] is 1, expected a string`,
        `${file}:3: model_providers.p.name is missing, expected a string`,
      ].join('\n'),
      {
        toml: 'model = 3\nnotify = [1]\n[model_providers.p]\n[sandbox_workspace_write]\nnetwork_access = "yes"\n',
      },
    ],
    [`${file}:2: model is 3, expected a string`, { toml: '\nmodel = 3' }],
    [`${file}:1: model is a list, expected a string`, { toml: 'model = ["a"]' }],
    [`${file}:1: model is a table, expected a string`, { toml: '[model]' }],
    [`${file}:1: model is true, expected a string`, { toml: 'model = true' }],
    [
      `${file}:1: project_doc_max_bytes is 5.0, expected a whole number from 0 to 9007199254740991`,
      { toml: 'project_doc_max_bytes = 5.0' },
    ],
    [
      `${file}:1: project_doc_max_bytes is -1, expected a whole number from 0 to 9007199254740991`,
      { toml: 'project_doc_max_bytes = -1' },
    ],
    [
      `${file}:2: shell_environment_policy.exclude[0] is 1, expected a string`,
      { toml: '[shell_environment_policy]\nexclude = [1]' },
    ],
    [`${file}:1: profiles is 3, expected a table of tables`, { toml: 'profiles = 3' }],
    [`${file}:2: profiles."a b".model is 3, expected a string`, { toml: '[profiles."a b"]\nmodel = 3' }],
    [
      `${file}:2: model_providers.p.name is missing, expected a string`,
      { toml: '\n[model_providers.p]\nbase_url = "http://x"' },
    ],
    [`${file}:1:9: not TOML: the value cannot be read; put a text in quotes`, { toml: 'model = \n' }],
    [
      `${file}:2:1: not TOML: this key or table is defined twice; remove one of them`,
      { toml: 'model = "a"\nmodel = "b"' },
    ],
    [
      `${file}: cannot be read: EACCES\n/home/environments.toml: cannot be read: EACCES`,
      {
        readFile: () => {
          throw new Error('EACCES');
        },
      },
    ],
    [
      `-c approval_policy=sometimes: approval_policy is "sometimes", expected one of "untrusted", "on-failure", "on-request", "never"`,
      { overrides: ['approval_policy=sometimes'] },
    ],
    ["-c model: Invalid override (missing '='), expected key=value", { overrides: ['model'] }],
    ['-c  =x: Empty key in override, expected key=value', { overrides: [' =x'] }],
    [`argument config, key model: model is 3, expected a string`, {}, { config: { model: 3 } }],
    [
      'argument config, key model_providers: model_providers.p.name is missing, expected a string',
      {},
      { config: { model_providers: { p: {} } } },
    ],
    [`argument profile: config profile \`zz\` not found in ${file}; there is none`, {}, { profile: 'zz' }],
    [
      `argument profile: config profile \`constructor\` not found in ${file}; there is none`,
      {},
      { profile: 'constructor' },
    ],
    [
      `-p fast: config profile \`fast\` not found in ${file}; known are \`fsat\`, \`slow\`; did you mean \`fsat\`?`,
      { toml: '[profiles.fsat]\n[profiles.slow]', profile: 'fast' },
    ],
    [`${file}:2: config profile \`zz\` not found in ${file}; there is none`, { toml: '\nprofile = "zz"' }],
    [
      `${file}:1: Model provider \`opnai\` not found in ${file}; known are \`openai\`, \`oss\`, \`scripted\`, \`client\`; did you mean \`openai\`?`,
      { toml: 'model_provider = "opnai"' },
    ],
    [
      `${file}:2: Model provider \`zz\` not found in ${file}; known are \`openai\`, \`oss\`, \`scripted\`, \`client\``,
      { toml: '[profiles.a]\nmodel_provider = "zz"', profile: 'a' },
    ],
    [
      'argument cwd: "/project/nowhere" is not an existing folder; create it, or name another folder, in which a stored thread goes on too',
      {},
      { cwd: 'nowhere' },
    ],
    [
      'the server\'s working folder: "/nowhere" is not an existing folder; create it, or start the server in another folder',
      { cwd: '/nowhere' },
    ],
    [
      'argument cwd: "/project/x" cannot be examined: bad path; create it, or name another folder, in which a stored thread goes on too',
      {
        isDirectory: () => {
          throw 'bad path';
        },
      },
      { cwd: 'x' },
    ],
    [
      `argument config, key experimental_instructions_file: failed to read experimental instructions file /project/i.md: no such file, expected a text file with instructions`,
      {},
      { config: { experimental_instructions_file: 'i.md' } },
    ],
    [
      `${file}:1: experimental instructions file is empty: /i.md, expected a text file with instructions`,
      { toml: 'experimental_instructions_file = "/i.md"', files: { '/i.md': ' \n' } },
      { baseInstructions: 'beats it' },
    ],
  ])('fails with %s', (message, world, settings = {}) => expect(refusal(world, settings)).toBe(message));

  it('names the file for a value that an override only surrounds', () => {
    const world = { toml: '[profiles.p]\nmodel = 3', overrides: ['profiles.p={approval_policy="never"}'] };
    expect(refusal(world)).toBe(`${file}:2: profiles.p.model is 3, expected a string`);
  });

  it.each([
    [{ overrides: ['model_providers.p.http_headers="Bearer s3cr3t"'] }, {}],
    [{ overrides: ['model_providers.p={http_headers="Bearer s3cr3t"}'] }, {}],
    [{ toml: 'model = "a"\n[model_providers.p]\nhttp_headers = "Bearer s3cr3t"' }, {}],
    [{ toml: 'http_headers = "Bearer s3cr3t' }, {}],
    [{}, { config: { 'model_providers.p.http_headers': 'Bearer s3cr3t' } }],
  ])('keeps secrets out of its messages: %j', (world, settings) =>
    expect(refusal(world, settings)).not.toContain('s3cr3t'),
  );

  it.each([
    ['a value', { config: { a: Array.from({ length: 100 }).reduce((inner) => [inner], 1) } }, {}],
    ['a key', { config: { [Array.from({ length: 100 }, () => 'a').join('.')]: 1 } }, {}],
    ['an override', {}, { overrides: [`${'a.'.repeat(100)}b=1`] }],
    ['the value of an override', {}, { overrides: [`a=${'['.repeat(100)}${']'.repeat(100)}`] }],
    ['the file', {}, { toml: `a = ${'['.repeat(100)}${']'.repeat(100)}` }],
  ])('refuses %s nested too deeply', (_, settings, world) =>
    expect(refusal(world, settings)).toMatch(/nested more than 64 deep/),
  );
});
