/** The JSON Schema of config.toml, for editors. */
import * as z from 'zod/mini';
import { fromRows } from '../../protocol/codex/settings';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { configSchema } from './schema';

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
