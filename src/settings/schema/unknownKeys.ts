/** The one table of keys: obeyed (`configSchema`), known to Codex without effect (`WITHOUT_EFFECT`), and others, with what was meant. */
import { ownOf } from '../../protocol/jsonrpc/json';
import { nearest } from '../../streams/text/nearest';
import { dotted } from '../faults/errorText';
import { isTable, type Path, type Toml, tableOf } from '../layer';
import type { Sources } from '../layers/sources';
import { configSchema } from './schema';

/** What a schema of zod is made of, as far as keys go. */
type Schema = { _zod: { def: Definition } };
type Definition = { type: string; shape?: Record<string, Schema>; innerType?: Schema; valueType?: Schema };

const SCHEMA = configSchema as unknown as Schema;

const NOT_HERE = 'only an installed Codex has it';

/**
 * Keys of Codex without an effect here, with all below them, and why that matters; null if nobody would miss it: they are about the terminal of Codex, its
 * updates and its statistics. `*` is any key. Keys in a profile are as those at the top.
 * Source: codex 0.171.0, in runs with `--strict-config`, and the names in its program; 0.28.0 to 0.169.0 for older keys.
 */
const WITHOUT_EFFECT: readonly (readonly [keys: string, why: string | null])[] = [
  [
    `analytics apps_mcp_product_sku audio check_for_update_on_startup commit_attribution desktop developer_mode disable_paste_burst feedback file_opener
    hide_agent_reasoning js_repl_node_module_dirs js_repl_node_path log_dir notice otel realtime rollout_trace sqlite_home
    suppress_unstable_features_warning tui windows windows_wsl_setup_acknowledged hooks`,
    null,
  ],
  [
    `agents allow_login_shell allow_symlinked_codex_home apps approvals_reviewer auto_review background_terminal_max_timeout browser_use cloud code_mode
    computer_use environments features forced_chatgpt_workspace_id forced_login_method ghost_snapshot goals include_apply_patch_tool include_plan_tool
    include_apps_instructions include_collaboration_mode_instructions include_environment_context include_permissions_instructions
    include_view_image_tool marketplaces mcp_enterprise_managed_auth mcp_oauth_callback_port mcp_oauth_callback_url
    mcp_optional_startup_grace_ms memories model_auto_compact_token_limit_scope model_catalog_json model_post_turn_compact_threshold_percent
    model_reasoning_summary_format orchestrator oss_provider personality plan_mode_reasoning_effort plugins responses responses_api_metadata
    review_model skills thread_unload_delay_secs tool_output_token_limit tool_suggest zsh_path shell_environment_policy.filters
    shell_environment_policy.experimental_use_profile tools.client_search_provider tools.experimental_request_user_input tools.update_plan
    model_providers.*.auth model_providers.*.aws model_providers.*.gateway_oauth model_providers.*.model_catalog_url
    mcp_servers.*.auth mcp_servers.*.http_headers_helper mcp_servers.*.oauth mcp_servers.*.oauth_resource mcp_servers.*.omit_tools_from
    mcp_servers.*.required mcp_servers.*.startup_readiness`,
    NOT_HERE,
  ],
  [
    `model_providers.*.supports_websockets model_providers.*.websocket_connect_timeout_ms model_providers.*.supports_standalone_web_search
    mcp_servers.*.scopes mcp_servers.*.supports_parallel_tool_calls mcp_servers.*.name mcp_servers.*.bearer_token`,
    null,
  ],
  ['cli_auth_credentials_store mcp_oauth_credentials_store', 'logins are read from files of the Codex home only'],
  [
    'model_providers.*.experimental_bearer_token',
    'no token is read from this file; env_key names the variable with it',
  ],
  ['instructions', 'put the text into a file that model_instructions_file names, or into developer_instructions'],
  ['experimental_compact_prompt_file', 'put the text into compact_prompt'],
  [
    'experimental_resume',
    'it would send each thread into one file; a call continues a thread by this key in its config, or by codex-reply',
  ],
  [
    'chatgpt_base_url',
    'the backend of ChatGPT is used for models alone; set the address in base_url of a model provider',
  ],
  [
    'openai_base_url',
    'only an installed Codex reads it; for the native engine set base_url in a model provider of your own',
  ],
];

const PATTERNS = WITHOUT_EFFECT.flatMap(([keys, why]) =>
  keys.split(/\s+/).map((key) => ({ key: key.split('.'), why })),
);

/** Undefined for a key that Codex does not know, and for a key that is read here. */
const effectOf = (path: Path): { why: string | null } | undefined => {
  const own = path[0] === 'profiles' ? path.slice(2) : path;
  const found = PATTERNS.find(
    ({ key }) => key.length <= own.length && key.every((one, at) => one === '*' || one === own[at]),
  );
  return found ?? (own[0]?.startsWith('experimental_') ? { why: NOT_HERE } : undefined);
};

/** A call may have thousands of unknown keys. */
const MAX_LINES = 20;

/** A line for each key that has no effect and may be missed, first for keys that Codex does not know; if they are many, for the first of them. */
export const unknownKeys = ({ table, placeOf }: Sources): string[] => {
  const found = keysIn(SCHEMA, table, []);
  const line = (path: Path, why: string) => `${placeOf(path).where(path)}: ${dotted(path)} ${why}`;
  const unknown = found.filter(({ path }) => effectOf(path) === undefined);
  const named = new Set(unknown.map(({ path }) => dotted(path)));
  const misplaced = misplacedIn(table, []).filter((path) => !named.has(dotted(path)));
  const missed = found.flatMap(({ path }) => {
    const why = effectOf(path)?.why;
    return typeof why === 'string' ? [line(path, `has no effect: ${why}`)] : [];
  });
  const more = unknown.length - MAX_LINES;
  return [
    ...unknown
      .slice(0, MAX_LINES)
      .map(({ path, known }) => line(path, `is no key of the configuration, and has no effect${guessOf(path, known)}`)),
    ...(more > 0 ? [`${more} more keys are no keys of the configuration, and have no effect`] : []),
    ...misplaced.map((path) => line(path, `has no effect there${guessOf(path, [])}`)),
    ...missed,
  ];
};

/** Keys about safety, which are also looked for in tables that may have any key: TOML takes what stands below a table's head into the table. */
const GUARDS = ['approval_policy', 'sandbox_mode', 'sandbox_workspace_write', 'default_permissions'];

const misplacedIn = (value: Toml, path: Path): Path[] =>
  isTable(value)
    ? Object.entries(value).flatMap(([key, inner]) => {
        const isTop = path.length === 0 || (path[0] === 'profiles' && path.length <= 2);
        return !isTop && GUARDS.includes(key) ? [[...path, key]] : misplacedIn(inner, [...path, key]);
      })
    : [];

const guessOf = (path: Path, known: readonly string[]): string => {
  const key = path.at(-1) ?? '';
  const { shape = {} } = SCHEMA._zod.def;
  if (path.length > 1 && Object.hasOwn(shape, key)) return '; put it at the top of the file, above the first [table]';
  const table = Object.keys(shape).find((name) => Object.hasOwn(tableShape(shape[name]), key));
  if (table !== undefined && path.length === 1) return `; it is a key of the table [${table}]`;
  const near = nearest(key, known);
  return near === undefined ? '' : `; did you mean ${near}?`;
};

const tableShape = (schema: Schema | undefined): Record<string, Schema> => {
  const { shape = {}, innerType } = schema?._zod.def ?? { type: '' };
  return innerType === undefined ? shape : tableShape(innerType);
};

/** True if a key is known neither here nor of Codex. */
export const isUnknownKey = (path: Path, value: Toml): boolean => {
  const table = path.reduceRight<Toml>((inner, key) => tableOf({ [key]: inner }), value);
  return keysIn(SCHEMA, table, []).some((one) => effectOf(one.path) === undefined);
};

/** The part of a path that nothing reads, with its first unknown key; undefined for a key that is read. */
export const unreadPart = (path: Path): Path | undefined => {
  const at = (schema: Schema, done: number): number | undefined => {
    const { shape, innerType, valueType } = schema._zod.def;
    const key = path[done];
    if (innerType !== undefined) return at(innerType, done);
    if (key === undefined || (shape === undefined && valueType === undefined)) return undefined;
    const inner = valueType ?? (shape && ownOf(shape, key));
    return inner === undefined ? done + 1 : at(inner, done + 1);
  };
  const end = at(SCHEMA, 0);
  return end === undefined ? undefined : path.slice(0, end);
};

type Unread = { path: Path; known: readonly string[] };

/** Each key that nothing reads, without what is below it. */
const keysIn = (schema: Schema, value: Toml, path: Path): Unread[] => {
  const { shape, innerType, valueType } = schema._zod.def;
  if (innerType !== undefined) return keysIn(innerType, value, path);
  if (!isTable(value)) return [];
  if (valueType !== undefined)
    return Object.entries(value).flatMap(([key, one]) => keysIn(valueType, one, [...path, key]));
  if (shape === undefined) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const inner = ownOf(shape, key);
    return inner !== undefined
      ? keysIn(inner, one, [...path, key])
      : [{ path: [...path, key], known: Object.keys(shape) }];
  });
};
