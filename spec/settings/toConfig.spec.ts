import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { builtIns } from '../../src/settings/layers/builtIns';
import { fileLayer } from '../../src/settings/layers/fileLayer';
import { toSources } from '../../src/settings/layers/sources';
import { check } from '../../src/settings/schema/check';
import { contextWindowOf, familyReasons, hasVerbosity, toConfig } from '../../src/settings/toConfig';
import { provider } from '../support/models';
import { depsOf, loaded } from './deps';

const completed: Parameters<typeof toConfig>[2] = {
  environmentId: 'local',
  cwd: '/w',
  provider: provider(),
  warnings: [],
  ownRoots: [],
  rootsFrom: '/from',
  alwaysSandboxed: false,
  approvalPolicy: 'never',
  sandboxMode: 'read-only',
  baseInstructions: 'of the file',
};
const config = (toml: string, settings: ThreadSettings = {}) =>
  toConfig(check(toSources([builtIns({ env: {}, cwd: '/' }), fileLayer(depsOf({ toml }))])), settings, completed);

describe('toConfig', () => {
  it('has each field from the defaults', () => {
    const { rootsFrom: _, ownRoots: __, ...own } = completed;
    expect(config('')).toEqual({
      ...own,
      model: 'gpt-5',
      reasoningEffort: 'medium',
      reasoningSummary: 'auto',
      supportsReasoningSummaries: true,
      workspaceWrite: { writableRoots: [], networkAccess: false, excludeTmpdirEnvVar: false, excludeSlashTmp: false },
      contextWindow: 400_000,
      includePlanTool: false,
      disableResponseStorage: false,
      showRawReasoning: false,
      projectDocMaxBytes: 32_768,
      mcpServers: {},
      history: { persistence: 'none' },
      shellEnvironment: { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] },
      tools: { webSearch: false, viewImage: true },
      preferredAuthMethod: 'chatgpt',
    });
  });

  it.each<[string, string, ThreadSettings, object]>([
    ['the argument of the call before the key ', 'model = "a"', { model: 'b' }, { model: 'b' }],
    ['the instructions of the call first      ', '', { baseInstructions: 'own' }, { baseInstructions: 'own' }],
    [
      'roots from the folder of who set them   ',
      'sandbox_workspace_write = { writable_roots = ["r", "/a"] }',
      {},
      {
        workspaceWrite: expect.objectContaining({ writableRoots: ['/from/r', '/a'] }),
      },
    ],
    [
      'the newer key of web search             ',
      'web_search = "live"\ntools = { web_search = false }',
      {},
      {
        tools: { webSearch: true, viewImage: true },
      },
    ],
    [
      'the older request of web search         ',
      'tools = { web_search_request = true }',
      {},
      {
        tools: { webSearch: true, viewImage: true },
      },
    ],
    ['the service tier as providers name it  ', 'service_tier = "fast"', {}, { serviceTier: 'priority' }],
    ['no verbosity of a model without it      ', 'model = "o3"\nmodel_verbosity = "low"', {}, { model: 'o3' }],
    [
      'an MCP server with its defaults         ',
      '[mcp_servers.s]\ncommand = "c"',
      {},
      {
        mcpServers: {
          s: {
            command: 'c',
            args: [],
            env: {},
            environmentId: 'local',
            disabledTools: [],
            startTimeoutMs: 10_000,
            toolTimeoutMs: 60_000,
          },
        },
      },
    ],
    [
      'the variables and approvals of a server ',
      '[mcp_servers.s]\ncommand = "c"\nenv_vars = ["A", { name = "B", source = "local" }]\ndefault_tools_approval_mode = "writes"\ntools.t.approval_mode = "prompt"',
      {},
      { mcpServers: { s: { envVars: ['A', 'B'], approval: { default: 'writes', tools: { t: 'prompt' } } } } },
    ],
    [
      'an unknown approval as the strictest    ',
      '[mcp_servers.s]\ncommand = "c"\ntools.t.approval_mode = "guess"',
      {},
      { mcpServers: { s: { approval: { tools: { t: 'prompt' } } } } },
    ],
    [
      'no MCP server that is disabled          ',
      '[mcp_servers.s]\ncommand = "c"\nenabled = false\n[mcp_servers.codex]\ncommand = "codex-rx"\nargs = ["mcp-server"]',
      {},
      { mcpServers: {} },
    ],
  ])('takes %s', (_, toml, settings, expected) => {
    expect(config(toml, settings)).toMatchObject(expected);
    expect(config(toml, settings)).not.toHaveProperty('verbosity');
  });
});

const table: [model: string, contextWindow: number | null, reasons: boolean | undefined][] = [
  ['gpt-5', 400_000, true],
  ['gpt-6-sol', 272_000, true],
  ['gpt-daybreak-red-latest', 372_000, true],
  ['gpt-5-mini', 272_000, true],
  ['gpt-5.4', 272_000, true],
  ['o3', 200_000, true],
  ['o3-mini', 200_000, true],
  ['o4-mini', 200_000, true],
  ['codex-mini-latest', 200_000, true],
  ['codex-anything', 400_000, true],
  ['gpt-4.1', 1_047_576, false],
  ['gpt-4.1-2025-04-14', 1_047_576, false],
  ['gpt-4o', 128_000, false],
  ['gpt-4o-2024-05-13', 128_000, false],
  ['gpt-3.5-turbo', 16_385, false],
  ['gpt-oss-20b', 96_000, false],
  ['gpt-oss:20b', null, false],
  ['mine', null, undefined],
];

describe('contextWindowOf', () => {
  it.each(table)('knows %s to hold %s tokens', (model, tokens) => expect(contextWindowOf(model)).toBe(tokens));
});

describe('contextWindowOf a family', () => {
  it.each([
    ['gpt-6-sol', 272_000],
    ['gpt-6.1-terra', 500_000],
    ['gpt-6.2-sol', 500_000],
    ['gpt-6.2-astra', 272_000],
    ['gpt-6.9-new', 272_000],
    ['gpt-daybreak-red-latest', 372_000],
    ['codex-auto-review', 272_000],
    ['my-gpt-6', null],
    ['openai/gpt-6.2-sol', 500_000],
    ['openrouter/openai/gpt-4o', 128_000],
    ['anthropic/claude-sonnet-4.5', null],
  ])('knows %s to hold %s tokens', (model, tokens) => expect(contextWindowOf(model)).toBe(tokens));
});

describe('familyReasons', () => {
  it.each(table)('knows of %s, with a window of %s tokens: %s', (model, _, reasons) =>
    expect(familyReasons(model)).toBe(reasons),
  );

  it.each([
    ['gpt-4.1', false],
    ['mine', true],
  ])('lets the key decide only if it knows no family: %s', (model, supportsReasoningSummaries) => {
    const overrides = ['model_supports_reasoning_summaries=true'];
    expect(loaded({ overrides }, { model })).toMatchObject({ supportsReasoningSummaries });
  });
});

describe('hasVerbosity', () => {
  it.each([
    ['gpt-5', true],
    ['gpt-5-mini', true],
    ['gpt-5.1', true],
    ['gpt-6-sol', true],
    ['gpt-5-codex', false],
    ['gpt-5.1-codex-max', false],
    ['gpt-4.1', false],
    ['mine', false],
  ])('knows of %s: %s', (model, has) => {
    expect(hasVerbosity(model)).toBe(has);
    expect(loaded({ overrides: ['model_verbosity=low'] }, { model }).verbosity).toBe(has ? 'low' : undefined);
  });
});
