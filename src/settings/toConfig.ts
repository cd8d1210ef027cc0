/** From the keys of the file and the arguments of a call to the fields of a Config. */
import { resolve } from 'node:path';
import { fromRows, type SettingName, type ThreadSettings } from '../protocol/codex/settings';
import type { WorkspaceWrite } from '../protocol/codex/turnSettings';
import type { EnvPolicy } from '../protocol/exec/process';
import { withoutUndefined } from '../protocol/jsonrpc/json';
import { toTimerMs } from '../streams/time/wait';
import { startsThisServer } from './clients/planEntry';
import { type Config, type McpServer, type PlainSettings, RESOLVED } from './config';
import type { Checked } from './schema/schema';

/** What was found for the thread besides the keys. */
type Completed = Pick<
  Config,
  | 'environmentId'
  | 'cwd'
  | 'provider'
  | 'warnings'
  | 'baseInstructions'
  | 'approvalPolicy'
  | 'sandboxMode'
  | 'alwaysSandboxed'
  | 'rules'
  | 'protectedPaths'
  | 'unkept'
> & {
  /** The folder that relative writable roots start at: the folder of the layer that set them. */
  rootsFrom: string;
  /** The roots that the user names. */
  ownRoots: readonly string[];
};

/** Builds a Config; an argument of the call overrides the key of the same meaning. */
export const toConfig = (
  checked: Checked,
  settings: ThreadSettings,
  { baseInstructions, rootsFrom, ownRoots, ...completed }: Completed,
): Omit<Config, 'folders'> => ({
  ...ofModel(checked, settings),
  ...completed,
  workspaceWrite: toWorkspaceWrite(checked.sandbox_workspace_write, { rootsFrom, ownRoots }),
  includePlanTool: false,
  disableResponseStorage: checked.disable_response_storage,
  showRawReasoning: checked.show_raw_agent_reasoning,
  projectDocMaxBytes: checked.project_doc_max_bytes,
  shellEnvironment: toShellEnvironment(checked.shell_environment_policy),
  mcpServers: toMcpServers(checked.mcp_servers),
  ...ofTurn(checked),
  ...withoutUndefined({
    baseInstructions: settings.baseInstructions ?? baseInstructions,
    projectDocFallbacks: checked.project_doc_fallback_filenames,
    projectRootMarkers: checked.project_root_markers,
    ...plainSettings(checked, settings),
  }),
});

const IN_OTHER_FORM: readonly SettingName[] = RESOLVED;

const plainSettings = (checked: Partial<Record<string, unknown>>, settings: ThreadSettings): PlainSettings =>
  fromRows(({ key }, name) =>
    IN_OTHER_FORM.includes(name) ? null : [name, settings[name] ?? (key ? checked[key.name] : undefined)],
  );

/** A caller may know values of newer models; the provider refuses what it does not know. */
const ofModel = (checked: Checked, { model = checked.model, effort, summary }: ThreadSettings) => ({
  model,
  reasoningEffort: (effort ?? checked.model_reasoning_effort) as Config['reasoningEffort'],
  reasoningSummary: (summary ?? checked.model_reasoning_summary) as Config['reasoningSummary'],
  supportsReasoningSummaries: familyReasons(model) ?? checked.model_supports_reasoning_summaries,
  contextWindow: checked.model_context_window ?? contextWindowOf(model),
  ...(checked.model_max_output_tokens !== undefined && { maxOutputTokens: checked.model_max_output_tokens }),
  ...(checked.model_auto_compact_token_limit !== undefined && {
    autoCompactTokenLimit: checked.model_auto_compact_token_limit,
  }),
  ...(checked.service_tier !== undefined && { serviceTier: TIERS.get(checked.service_tier) ?? checked.service_tier }),
  ...(checked.model_verbosity !== undefined && hasVerbosity(model) && { verbosity: checked.model_verbosity }),
});

/** Source: Codex 0.171.0, requests. */
const TIERS = new Map([['fast', 'priority']]);

/** Newer releases have a key at the top. */
const isSearching = ({ web_search, web_search_request }: Checked['tools'], mode: Checked['web_search']): boolean => {
  if (mode !== undefined) return mode !== 'disabled';
  return web_search_request === true || (web_search !== false && web_search !== 'disabled');
};

const ofTurn = ({ notify, history, tools, web_search, ...checked }: Checked) => ({
  ...(notify !== undefined && notify.length > 0 && { notify }),
  history: {
    persistence: history.persistence,
    ...(history.max_bytes !== undefined && { maxBytes: history.max_bytes }),
  },
  tools: { webSearch: isSearching(tools, web_search), viewImage: tools.view_image },
  preferredAuthMethod: checked.preferred_auth_method,
});

const toWorkspaceWrite = (
  table: Checked['sandbox_workspace_write'],
  { rootsFrom, ownRoots }: Pick<Completed, 'rootsFrom' | 'ownRoots'>,
): WorkspaceWrite => ({
  ...rootsOf(
    table.writable_roots.map((root) => resolve(rootsFrom, root)),
    ownRoots,
  ),
  networkAccess: table.network_access,
  excludeTmpdirEnvVar: table.exclude_tmpdir_env_var,
  excludeSlashTmp: table.exclude_slash_tmp,
  ...(table.unix_sockets !== undefined && { unixSockets: table.unix_sockets }),
  ...(table.devices !== undefined && { devices: table.devices }),
});

const rootsOf = (writableRoots: string[], named: readonly string[]) => {
  const ownRoots = writableRoots.filter((root) => named.includes(root));
  return { writableRoots, ...(ownRoots.length > 0 && { ownRoots }) };
};

const toShellEnvironment = (policy: Checked['shell_environment_policy']): EnvPolicy => ({
  inherit: policy.inherit,
  ignoreDefaultExcludes: policy.ignore_default_excludes,
  exclude: policy.exclude,
  set: policy.set,
  includeOnly: policy.include_only,
});

/** Source: codex 0.28.0 (10 s to start, no limit to a call) and later releases (60 s a call). */
const START_SECONDS = 10;
const TOOL_SECONDS = 60;

/** The entry by which Codex starts this server, which reads the same file. It is no server of its own tools. */
const isThisServer = (command: string | undefined, args: readonly string[]): boolean =>
  command !== undefined && startsThisServer([command, ...args]);

const toMcpServers = (tables: Checked['mcp_servers']): Record<string, McpServer> =>
  Object.fromEntries(
    Object.entries(tables)
      .filter(([, { enabled, command, args = [] }]) => enabled !== false && !isThisServer(command, args))
      .map(([name, table]): [string, McpServer] => [
        name,
        {
          ...(table.command !== undefined && { command: table.command }),
          ...(table.url !== undefined && { url: table.url }),
          ...(table.bearer_token_env_var !== undefined && { bearerTokenEnvVar: table.bearer_token_env_var }),
          httpHeaders: table.http_headers ?? {},
          envHttpHeaders: table.env_http_headers ?? {},
          args: table.args ?? [],
          env: table.env ?? {},
          ...(table.env_vars !== undefined && {
            envVars: table.env_vars.map((one) => (typeof one === 'string' ? one : one.name)),
          }),
          ...(table.cwd !== undefined && { cwd: table.cwd }),
          environmentId: table.environment_id ?? table.experimental_environment ?? 'local',
          startTimeoutMs: toTimerMs(table.startup_timeout_ms ?? (table.startup_timeout_sec ?? START_SECONDS) * 1000),
          toolTimeoutMs: toTimerMs((table.tool_timeout_sec ?? TOOL_SECONDS) * 1000),
          ...(table.enabled_tools !== undefined && { enabledTools: table.enabled_tools }),
          disabledTools: table.disabled_tools ?? [],
          ...toApproval(table),
        },
      ]),
  );

const toApproval = ({
  default_tools_approval_mode: mode,
  tools = {},
}: Checked['mcp_servers'][string]): Pick<McpServer, 'approval'> => {
  const own = Object.entries(tools).flatMap(([name, { approval_mode }]) =>
    approval_mode === undefined ? [] : [[name, approval_mode] as const],
  );
  if (mode === undefined && own.length === 0) return {};
  return { approval: { ...(mode !== undefined && { default: mode }), tools: Object.fromEntries(own) } };
};

/** Families whose requests have no field `reasoning`, or have it. The first match applies. */
const families: readonly (readonly [name: RegExp, reasons: boolean])[] = [
  [/^gpt-(oss|[34])/, false],
  [/^(o[3-9]|codex-|gpt-)/, true],
];

const windows: ReadonlyMap<string, number> = new Map([
  ['gpt-5', 400_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['codex-mini-latest', 200_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-4.1-2025-04-14', 1_047_576],
  ['gpt-4o', 128_000],
  ['gpt-4o-2024-05-13', 128_000],
  ['gpt-4o-2024-08-06', 128_000],
  ['gpt-4o-2024-11-20', 128_000],
  ['gpt-3.5-turbo', 16_385],
  ['gpt-oss-20b', 96_000],
  ['gpt-oss-120b', 96_000],
]);

/** The windows of families whose models are not in the table, the most special first. Source: Codex 0.171.0, `codex debug models`. */
const windowsOfFamilies: readonly (readonly [prefix: string, window: number])[] = [
  ['gpt-6.1-', 500_000],
  ['gpt-6.2-sol', 500_000],
  ['gpt-daybreak-red', 372_000],
  ['gpt-daybreak', 272_000],
  ['gpt-6', 272_000],
  ['gpt-5', 272_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['o3', 200_000],
  ['o4', 200_000],
  ['codex-auto-review', 272_000],
  ['codex-', 400_000],
];

/** The context window of a model in tokens, by its name or its family; null if both are unknown. Source: Codex 0.28.0, `task_started`. */
export const contextWindowOf = (model: string): number | null => {
  const name = withoutVendor(model);
  return windows.get(name) ?? windowsOfFamilies.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
};

/** Gateways name a model with its vendor. Source: `openai/gpt-5` of OpenRouter, LiteLLM and the gateway of Vercel. */
const withoutVendor = (model: string): string => model.slice(model.lastIndexOf('/') + 1);

/** Whether a request to this model may have the field `reasoning`; undefined for an unknown family. Source: Codex 0.28.0, requests. */
export const familyReasons = (model: string): boolean | undefined => families.find(([name]) => name.test(model))?.[1];

/** Whether a request to this model may have the field `text.verbosity`. Source: Codex 0.28.0, requests; 0.142.0, models for code take none. */
export const hasVerbosity = (model: string): boolean => /^gpt-([5-9]|\d\d)/.test(model) && !model.includes('-codex');
