import type { ThreadSettings } from '../../src/protocol/codex/settings';
import { builtIns } from '../../src/settings/layers/builtIns';
import { fileLayer } from '../../src/settings/layers/fileLayer';
import { toSources } from '../../src/settings/layers/sources';
import { check } from '../../src/settings/schema/check';
import { toConfig } from '../../src/settings/toConfig';
import { provider } from '../support/models';
import { depsOf } from './deps';

const completed: Parameters<typeof toConfig>[2] = {
  environmentId: 'local',
  cwd: '/w',
  provider: provider(),
  warnings: [],
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
    const { rootsFrom: _, ...own } = completed;
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
      '[mcp_servers.s]\ncommand = "c"\nenabled = false',
      {},
      { mcpServers: {} },
    ],
  ])('takes %s', (_, toml, settings, expected) => {
    expect(config(toml, settings)).toMatchObject(expected);
    expect(config(toml, settings)).not.toHaveProperty('verbosity');
  });
});
