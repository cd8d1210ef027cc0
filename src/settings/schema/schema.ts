/** The keys of the configuration and their types, also as JSON Schema for editors. */
import * as z from 'zod/mini';
import {
  APPROVAL_POLICIES,
  fromRows,
  SANDBOX_MODES,
  type SettingName,
  type THREAD_SETTINGS,
  type ThreadSettings,
} from '../../protocol/codex/settings';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
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

/** What an editor shows at a key. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...fromRows<Record<string, string>>(({ key }) => key && [key.name, key.about]),
  model_provider: 'Key of model_providers, or openai, oss, scripted',
  model_context_window: 'Tokens that the model can hold',
  model_max_output_tokens: 'Most tokens of one answer',
  model_auto_compact_token_limit: 'Tokens of the context above which the conversation is compacted',
  model_verbosity: 'How long its answers are; for models that have it',
  model_supports_reasoning_summaries: 'Send the reasoning settings to a model of no known family',
  sandbox_workspace_write: 'What commands may do in the mode workspace-write',
  service_tier: 'How fast the provider answers: fast, flex, or a value of its own',
  disable_response_storage: 'Ask the provider to store nothing',
  show_raw_agent_reasoning: 'Send raw reasoning to the client',
  project_doc_max_bytes: 'Bytes taken from the AGENTS.md files of a project',
  project_doc_fallback_filenames: 'Names of files that are read in folders without an AGENTS.md',
  project_root_markers: 'Names of files and folders that only the root of a project has; .git by default',
  experimental_instructions_file: 'File that replaces the base instructions',
  model_instructions_file: 'File that replaces the base instructions',
  shell_environment_policy: 'Which environment variables commands see',
  notify: 'Program that is run at the end of a turn, with its first arguments',
  history: 'Whether prompts are kept in history.jsonl',
  tools: 'Which tools the model is offered',
  web_search: 'Whether the model may search the web',
  preferred_auth_method: 'Which of two stored credentials is used',
  responses_originator_header_internal_override: 'Value of the header originator',
  projects: 'Folders, and whether they are trusted',
  model_providers: 'Servers of models',
  mcp_servers: 'MCP servers whose tools the model may call',
  nats: 'How this machine logs in to a NATS server: files of credentials, TLS, names',
  thread_store:
    'Where threads are kept: "files", the rollouts of Codex, or nats://HOST[,HOST][/NAME], from where any machine goes on with them',
  environment_id: 'Where threads work: local, remote, or an id of environments.toml',
  allowed_environments: 'Environments that calls may choose',
  default_permissions:
    'Permission profile of commands: a key of permissions, or :read-only, :workspace, :danger-full-access',
  permissions: 'Permission profiles: which files commands may read and write, and whether they have a network',
  profiles: 'Settings that are laid over the others when they are chosen',
};

/** Keys that only newer releases of Codex know are allowed. Source: JSON Schema 2020-12. */
export const configJsonSchema = (): JsonObject => {
  const {
    properties,
    required: _,
    ...schema
  } = z.toJSONSchema(configSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === 'bigint') Object.assign(jsonSchema, { type: 'integer', minimum: 0 });
      if (type !== 'object') return;
      jsonSchema.required = jsonSchema.required?.filter((key) => key === 'name');
      if (jsonSchema.required?.length === 0) delete jsonSchema.required;
    },
  }) as JsonObject;
  return {
    ...schema,
    title: 'config.toml of Codex and codex-rx',
    properties: described(isObject(properties) ? properties : {}),
  };
};

const described = (properties: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const description = DESCRIPTIONS[key];
      return [key, isObject(value) && description !== undefined ? { ...value, description } : value];
    }),
  );
