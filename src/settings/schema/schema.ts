/** The keys of the configuration and their types. */
import * as z from 'zod/mini';
import {
  APPROVAL_POLICIES,
  fromRows,
  SANDBOX_MODES,
  type SettingName,
  type THREAD_SETTINGS,
  type ThreadSettings,
} from '../../protocol/codex/settings';
import {
  AUTH_METHODS,
  HISTORY_PERSISTENCES,
  INHERITS,
  REASONING_EFFORTS,
  REASONING_SUMMARIES,
  TRUST_LEVELS,
  VERBOSITIES,
  WEB_SEARCHES,
} from '../config';
import { flag, list, mcpServer, nats, ofType, oneOf, provider, text, texts, whole } from './schemaParts';

const shellEnvironment = z.object(
  { inherit: oneOf(INHERITS), ignore_default_excludes: flag, exclude: list, set: texts, include_only: list },
  'a table',
);

const workspaceWrite = z.object(
  {
    writable_roots: list,
    network_access: flag,
    exclude_tmpdir_env_var: flag,
    exclude_slash_tmp: flag,
    unix_sockets: z.optional(flag),
    devices: z.optional(list),
  },
  'a table',
);

const history = z.object({ persistence: oneOf(HISTORY_PERSISTENCES), max_bytes: z.optional(whole) }, 'a table');

/** Newer releases have modes, and a table of options. */
const search = z.union([flag, z.enum(WEB_SEARCHES), z.record(z.string(), z.unknown())], 'true or false');

const tools = z.object({ web_search: search, web_search_request: z.optional(flag), view_image: flag }, 'a table');

const project = z.object({ trust_level: z.optional(oneOf(TRUST_LEVELS)) }, 'a table');

type Settings = {
  [N in SettingName as (typeof THREAD_SETTINGS)[N]['key'] extends {
    name: infer K extends string;
    declared: 'in the table';
  }
    ? K
    : never]: N;
};

type SettingKeys = {
  [K in keyof Settings]: z.ZodMiniOptional<z.ZodMiniType<NonNullable<ThreadSettings[Settings[K]]>>>;
};

const settingKeys = fromRows<SettingKeys>(({ key, type }) =>
  key?.declared === 'in the table' ? [key.name, z.optional(ofType(type))] : null,
);

/** Keys that may be at the top, in a profile and in the file of a profile. */
const keys = {
  environment_id: z.optional(text),
  model: text,
  model_provider: text,
  model_context_window: z.optional(whole),
  model_max_output_tokens: z.optional(whole),
  model_auto_compact_token_limit: z.optional(whole),
  model_reasoning_effort: oneOf(REASONING_EFFORTS),
  model_reasoning_summary: oneOf(REASONING_SUMMARIES),
  model_verbosity: z.optional(oneOf(VERBOSITIES)),
  model_supports_reasoning_summaries: flag,
  approval_policy: oneOf(APPROVAL_POLICIES),
  sandbox_mode: oneOf(SANDBOX_MODES),
  sandbox_workspace_write: workspaceWrite,
  service_tier: z.optional(text),
  disable_response_storage: flag,
  show_raw_agent_reasoning: flag,
  project_doc_max_bytes: whole,
  project_doc_fallback_filenames: z.optional(list),
  project_root_markers: z.optional(list),
  experimental_instructions_file: z.optional(text),
  model_instructions_file: z.optional(text),
  ...settingKeys,
  shell_environment_policy: shellEnvironment,
  notify: z.optional(list),
  history,
  tools,
  web_search: z.optional(oneOf(WEB_SEARCHES)),
  preferred_auth_method: oneOf(AUTH_METHODS),
  responses_originator_header_internal_override: z.optional(text),
  projects: z.record(z.string(), project, 'a table of tables'),
  model_providers: z.record(z.string(), provider, 'a table of tables'),
  mcp_servers: z.record(z.string(), mcpServer, 'a table of tables'),
};

/** A profile sets what it names and leaves the rest. */
const profile = z.object(
  {
    ...z.partial(z.object(keys)).shape,
    sandbox_workspace_write: z.optional(z.partial(workspaceWrite)),
    shell_environment_policy: z.optional(z.partial(shellEnvironment)),
    history: z.optional(z.partial(history)),
    tools: z.optional(z.partial(tools)),
  },
  'a table',
);

/**
 * The keys that are read. All others are dropped unchecked, so that the file of a newer Codex does not fail.
 * `nats`, `thread_store`, `allowed_environments` and the permissions count at the top only: no profile changes them, and they are taken from the
 * operator alone. The first three are ours.
 * Source: Codex 0.28.0, `config.toml`; `developer_instructions`, `compact_prompt`, `web_search`, `model_auto_compact_token_limit`: 0.142.0.
 */
export const configSchema = z.object({
  ...keys,
  nats: z.optional(nats),
  thread_store: z.optional(text),
  allowed_environments: z.optional(list),
  default_permissions: z.optional(text),
  permissions: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()), 'a table of tables')),
  profile: z.optional(text),
  profiles: z.record(z.string(), profile, 'a table of tables'),
});

/** The keys of a configuration, checked. */
export type Checked = z.infer<typeof configSchema>;
/** The table of one model provider, checked. */
export type ProviderTable = z.infer<typeof provider>;
