/** Keys that nothing reads: mistyped ones, with the nearest known key. */
import { nearest } from '../../streams/text/nearest';
import { dotted } from '../faults/errorText';
import { isTable, type Path, type Toml, tableOf } from '../layer';
import type { Sources } from '../layers/sources';
import { configSchema } from './schema';

/** What a schema of zod is made of, as far as keys go. */
type Schema = { _zod: { def: Definition } };
type Definition = { type: string; shape?: Record<string, Schema>; innerType?: Schema; valueType?: Schema };

/**
 * Keys of Codex that have no effect here: of its terminal, of its login, of features that codex-rx has not. Whatever is below them is not
 * looked at, nor is a key that begins with `experimental_`. Source: Codex 0.28.0 to 0.169.0.
 */
const IGNORED = new Set(
  `agents allow_login_shell analytics apps approvals_reviewer audio auto_review background_terminal_max_timeout
  check_for_update_on_startup cli_auth_credentials_store commit_attribution desktop developer_mode disable_paste_burst
  environments features feedback file_opener forced_chatgpt_workspace_id forced_login_method ghost_snapshot hide_agent_reasoning hooks
  include_apply_patch_tool include_apps_instructions include_environment_context include_permissions_instructions instructions js_repl_node_module_dirs
  js_repl_node_path log_dir marketplaces mcp_oauth_callback_port mcp_oauth_callback_url mcp_oauth_credentials_store memories
  model_catalog_json notice oss_provider otel personality plan_mode_reasoning_effort plugins
  realtime review_model skills sqlite_home suppress_unstable_features_warning
  tool_output_token_limit tool_suggest tui windows windows_wsl_setup_acknowledged zsh_path`.split(/\s+/),
);

/** Keys of Codex that have no effect here, although a user may rely on them. */
const WARNED: Readonly<Record<string, string>> = {
  experimental_resume:
    'it would send each thread into one file; a call continues a thread by this key in its config, or by codex-reply',
  chatgpt_base_url: 'the backend of ChatGPT is used for models alone; set the address in base_url of a model provider',
  openai_base_url:
    'only an installed Codex reads it; for the native engine set base_url in a model provider of your own',
};

/** A call may have thousands of unknown keys. */
const MAX_LINES = 20;

/** A line for each key that is known neither here nor of Codex, and for each that would be missed; if there are many, for the first of them. */
export const unknownKeys = ({ table, placeOf }: Sources): string[] => {
  const unknown = keysIn(configSchema as unknown as Schema, table, []);
  const lines = unknown.slice(0, MAX_LINES).map(({ path, known }) => {
    const near = nearest(path.at(-1) ?? '', known);
    const guess = near === undefined ? '' : `; did you mean ${near}?`;
    const why = WARNED[path.at(-1) ?? ''];
    if (why !== undefined) return `${placeOf(path).where(path)}: ${dotted(path)} has no effect: ${why}`;
    return `${placeOf(path).where(path)}: ${dotted(path)} is no key of the configuration, and has no effect${guess}`;
  });
  const more = unknown.length - lines.length;
  return more > 0 ? [...lines, `${more} more keys are no keys of the configuration, and have no effect`] : lines;
};

/** True if a key is known neither here nor of Codex. */
export const isUnknownKey = (path: Path, value: Toml): boolean => {
  const table = path.reduceRight<Toml>((inner, key) => tableOf({ [key]: inner }), value);
  const unknown = keysIn(configSchema as unknown as Schema, table, []);
  return unknown.some((one) => !Object.hasOwn(WARNED, one.path.at(-1) ?? ''));
};

/** The part of a path that nothing reads, with its first unknown key; undefined for a key that is read. */
export const unreadPart = (path: Path): Path | undefined => {
  const at = (schema: Schema, done: number): number | undefined => {
    const { shape, innerType, valueType } = schema._zod.def;
    const key = path[done];
    if (innerType !== undefined) return at(innerType, done);
    if (key === undefined || (shape === undefined && valueType === undefined)) return undefined;
    const inner = valueType ?? (shape !== undefined && Object.hasOwn(shape, key) ? shape[key] : undefined);
    return inner === undefined ? done + 1 : at(inner, done + 1);
  };
  const end = at(configSchema as unknown as Schema, 0);
  return end === undefined ? undefined : path.slice(0, end);
};

type Unknown = { path: Path; known: readonly string[] };

const keysIn = (schema: Schema, value: Toml, path: Path): Unknown[] => {
  const { shape, innerType, valueType } = schema._zod.def;
  if (innerType !== undefined) return keysIn(innerType, value, path);
  if (!isTable(value)) return [];
  if (valueType !== undefined)
    return Object.entries(value).flatMap(([key, one]) => keysIn(valueType, one, [...path, key]));
  if (shape === undefined) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const inner = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (inner !== undefined) return keysIn(inner, one, [...path, key]);
    const known = Object.keys(shape);
    return isOfCodex({ path, key, known }) ? [] : [{ path: [...path, key], known }];
  });
};

const isOfCodex = ({ path, key, known }: { path: Path; key: string; known: readonly string[] }): boolean => {
  const isTop = path.length === 0 || (path.length === 2 && path[0] === 'profiles');
  if (Object.hasOwn(WARNED, key)) return false;
  if (key.startsWith('experimental_') || (isTop && IGNORED.has(key))) return true;
  return NEWER.has(path[0] ?? '') && nearest(key, known) === undefined;
};

/** Tables to which each release of Codex adds keys: one there is reported only if it resembles a known one. */
const NEWER = new Set(['mcp_servers', 'model_providers', 'tools', 'history', 'projects']);
