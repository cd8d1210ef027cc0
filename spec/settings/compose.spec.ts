/** Layers over layers: profiles, files of profiles, folders that are trusted, values and keys that are not known. */
import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { file, loaded, refusal, type World } from './deps';

const warningsOf = (toml: string) => loaded({ toml }).warnings;

describe('a profile', () => {
  const toml = `model = "base"
[sandbox_workspace_write]
writable_roots = ["/a"]
[profiles.p]
sandbox_mode = "workspace-write"
show_raw_agent_reasoning = true
[profiles.p.sandbox_workspace_write]
network_access = true
[profiles.p.tools]
view_image = false
`;

  it('is a layer with all keys, laid over the others key by key', () => {
    expect(loaded({ toml, profile: 'p' })).toMatchObject({
      model: 'base',
      sandboxMode: 'workspace-write',
      showRawReasoning: true,
      workspaceWrite: { writableRoots: ['/a'], networkAccess: true },
      tools: { webSearch: false, viewImage: false },
    });
  });

  it('is read from its own file, which replaces the table', () => {
    const files = { '/home/p.config.toml': 'model = "own"\n[model_providers.x]\nname = "x"\nbase_url = "http://x"\n' };
    const config = loaded({ toml, files, profile: 'p' }, { config: { model_provider: 'x' } });
    expect(config).toMatchObject({ model: 'own', sandboxMode: 'read-only', provider: { id: 'x' } });
  });

  it('reports faults of its own file by line, all of them', () => {
    const files = { '/home/p.config.toml': 'model = 3\nnotify = 4\n' };
    expect(refusal({ files, profile: 'p' })).toBe(
      '/home/p.config.toml:1: model is 3, expected a string\n/home/p.config.toml:2: notify is 4, expected a list of strings',
    );
  });

  it('that a call names stays below the ceiling, also in its tables', () => {
    const overrides = ['sandbox_mode="workspace-write"'];
    expect(refusal({ toml, overrides }, { profile: 'p' })).toContain(
      'the call asks for sandbox_workspace_write.network_access = true',
    );
  });
});

describe('a value that is not known', () => {
  it.each<[string, string, object]>([
    ['approval_policy = "sometimes"', '"untrusted"', { approvalPolicy: 'untrusted' }],
    ['approval_policy = { granular = { rules = true } }', '"untrusted"', { approvalPolicy: 'untrusted' }],
    ['sandbox_mode = "workspace-writ"', '"read-only"', { sandboxMode: 'read-only' }],
    ['model_reasoning_effort = "xhihg"', '"xhigh"', { reasoningEffort: 'xhigh' }],
    ['model_reasoning_effort = "HIGH"', '"high"', { reasoningEffort: 'high' }],
    ['model_reasoning_effort = "wild"', '"medium"', { reasoningEffort: 'medium' }],
    ['model_reasoning_summary = "detaild"', '"detailed"', { reasoningSummary: 'detailed' }],
    ['shell_environment_policy.inherit = "some"', '"core"', { shellEnvironment: { inherit: 'core' } }],
  ])('of a file, %s, is replaced by the nearest, with a warning', (toml, instead, expected) => {
    const config = loaded({ toml });
    expect(config).toMatchObject(expected);
    expect(config.warnings).toEqual([expect.stringContaining(`${file}:1: `)]);
    expect(config.warnings[0]).toContain(`which is not known here; ${instead} is used`);
  });

  it('of a provider or a profile is replaced too', () => {
    const toml = `profile = "p"
[model_providers.w]
name = "w"
base_url = "http://w"
wire_api = "websocket"
[profiles.p]
model_provider = "w"
model_reasoning_effort = "xhihg"
`;
    expect(loaded({ toml })).toMatchObject({ provider: { wireApi: 'responses' }, reasoningEffort: 'xhigh' });
    expect(warningsOf(toml)).toHaveLength(2);
  });

  it.each<[string, World, ThreadSettings]>([
    ['a flag', { overrides: ['model_reasoning_effort=wild'] }, {}],
    ['a call', {}, { config: { model_reasoning_effort: 'wild' } }],
  ])('of %s is an error', (_, world, settings) => {
    expect(refusal(world, settings)).toContain('model_reasoning_effort is "wild", expected one of');
  });
});

describe('a key that is not known', () => {
  it.each([
    ['mdoel = "x"', 'mdoel is no key of the configuration, and has no effect; did you mean model?'],
    [
      '[tools]\nvew_image = true',
      'tools.vew_image is no key of the configuration, and has no effect; did you mean view_image?',
    ],
    [
      '[mcp_servers.s]\ncommand = "c"\ncomand = "x"',
      'mcp_servers.s.comand is no key of the configuration, and has no effect; did you mean command?',
    ],
    ['[profiles.p]\nquux = 1', 'profiles.p.quux is no key of the configuration, and has no effect'],
    [
      'chatgpt_base_url = "https://chat.example/"',
      'chatgpt_base_url has no effect: the backend of ChatGPT is used for models alone; set the address in base_url of a model provider',
    ],
    [
      'openai_base_url = "https://proxy.example/v1"',
      'openai_base_url has no effect: only an installed Codex reads it; for the native engine set base_url in a model provider of your own',
    ],
    [
      'experimental_resume = "/s/rollout-1.jsonl"',
      'experimental_resume has no effect: it would send each thread into one file; a call continues a thread by this key in its config, or by codex-reply',
    ],
  ])('in %j has a warning', (toml, text) => {
    expect(warningsOf(toml)).toEqual([`${file}:${toml.split('\n').length}: ${text}`]);
  });

  it.each([
    'file_opener = "vim"',
    '[tui]\nanything = 1',
    '[notice]\nx = true',
    '[mcp_servers.s]\ncommand = "x"\nscopes = ["a"]\n[mcp_servers.s.env]\nANY = "1"',
    '[profiles.p]\nhide_agent_reasoning = true',
    '[projects."/a"]\ntrust_level = "trusted"',
  ])('of Codex, %j, has none', (toml) => {
    expect(warningsOf(toml)).toEqual([]);
  });

  it('of a flag names its place', () => {
    const { warnings } = loaded({ overrides: ['mdoel=x'] });
    expect(warnings).toEqual([
      '-c mdoel=x: mdoel is no key of the configuration, and has no effect; did you mean model?',
    ]);
  });
});

describe('the trust in a folder', () => {
  const toml = '[projects."/project"]\ntrust_level = "trusted"\n[projects."/other"]\ntrust_level = "untrusted"\n';
  const isDirectory = (path: string) => path !== '/project/sub/.git';

  it.each<[string, World, ThreadSettings, object]>([
    ['sets defaults', { toml }, {}, { approvalPolicy: 'on-request', sandboxMode: 'workspace-write' }],
    [
      'that is missing sets stricter ones',
      { toml },
      { cwd: '/other' },
      { approvalPolicy: 'untrusted', sandboxMode: 'read-only' },
    ],
    [
      'counts for the folders of a repository',
      { toml, isDirectory },
      { cwd: 'sub' },
      { sandboxMode: 'workspace-write' },
    ],
    ['does not count elsewhere', { toml }, { cwd: '/elsewhere' }, { sandboxMode: 'read-only' }],
    ['is below the file', { toml: `sandbox_mode = "read-only"\n${toml}` }, {}, { sandboxMode: 'read-only' }],
    [
      'may stand on the command line',
      { overrides: ['projects={"/project"={trust_level="trusted"}}'] },
      {},
      { sandboxMode: 'workspace-write' },
    ],
  ])('%s', (_, world, settings, expected) => {
    expect(loaded(world, settings)).toMatchObject(expected);
  });
});

describe('keys of today', () => {
  it('are read', () => {
    const toml = `model_max_output_tokens = 5
model_auto_compact_token_limit = 6
notify = ["say", "done"]
preferred_auth_method = "apikey"
web_search = "live"
model_instructions_file = "/i.md"
[history]
persistence = "none"
max_bytes = 7
`;
    expect(loaded({ toml, files: { '/i.md': 'Be kind.' } })).toMatchObject({
      maxOutputTokens: 5,
      autoCompactTokenLimit: 6,
      notify: ['say', 'done'],
      preferredAuthMethod: 'apikey',
      tools: { webSearch: true, viewImage: true },
      baseInstructions: 'Be kind.',
      history: { persistence: 'none', maxBytes: 7 },
      warnings: [],
    });
  });
});
