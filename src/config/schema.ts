/** The keys of the configuration and their types. Each message says what is expected. */
import * as z from 'zod/mini';
import { APPROVAL_POLICIES, SANDBOX_MODES } from '../protocol/codex';
import { WIRE_APIS } from '../protocol/model';
import { INHERITS, REASONING_EFFORTS, REASONING_SUMMARIES, VERBOSITIES } from './config';
import { listed } from './errorText';

const maxWhole = BigInt(Number.MAX_SAFE_INTEGER);
const wholeText = `a whole number from 0 to ${maxWhole}`;

const text = z.string('a string');
const flag = z.boolean('true or false');
const list = z.array(text, 'a list of strings');
const texts = z.record(z.string(), text, 'a table of strings');
const whole = z.pipe(
  z.bigint(wholeText).check(z.gte(0n, wholeText), z.lte(maxWhole, wholeText)),
  z.transform((value) => Number(value)),
);
const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `one of ${listed(values, '"')}`);

const provider = z.object(
  {
    name: text,
    base_url: z.optional(text),
    env_key: z.optional(text),
    env_key_instructions: z.optional(text),
    wire_api: z.optional(oneOf(WIRE_APIS)),
    query_params: z.optional(texts),
    http_headers: z.optional(texts),
    env_http_headers: z.optional(texts),
    request_max_retries: z.optional(whole),
    stream_max_retries: z.optional(whole),
    stream_idle_timeout_ms: z.optional(whole),
    max_retries: z.optional(whole),
    connect_timeout_ms: z.optional(whole),
    answer_timeout_ms: z.optional(whole),
    requires_openai_auth: z.optional(flag),
    script: z.optional(text),
  },
  'a table',
);

const profile = z.object(
  {
    model: z.optional(text),
    model_provider: z.optional(text),
    approval_policy: z.optional(oneOf(APPROVAL_POLICIES)),
    sandbox_mode: z.optional(oneOf(SANDBOX_MODES)),
    disable_response_storage: z.optional(flag),
    model_reasoning_effort: z.optional(oneOf(REASONING_EFFORTS)),
    model_reasoning_summary: z.optional(oneOf(REASONING_SUMMARIES)),
    model_verbosity: z.optional(oneOf(VERBOSITIES)),
    experimental_instructions_file: z.optional(text),
  },
  'a table',
);

const seconds = z.union([whole, z.number().check(z.nonnegative())], 'a number of seconds');

const mcpServer = z.object(
  {
    command: z.optional(text),
    url: z.optional(text),
    args: z.optional(list),
    env: z.optional(texts),
    cwd: z.optional(text),
    enabled: z.optional(flag),
    environment_id: z.optional(text),
    experimental_environment: z.optional(text),
    startup_timeout_sec: z.optional(seconds),
    startup_timeout_ms: z.optional(whole),
    tool_timeout_sec: z.optional(seconds),
    enabled_tools: z.optional(list),
    disabled_tools: z.optional(list),
  },
  'a table',
);

const shellEnvironment = z.object(
  { inherit: oneOf(INHERITS), ignore_default_excludes: flag, exclude: list, set: texts, include_only: list },
  'a table',
);

const workspaceWrite = z.object(
  { writable_roots: list, network_access: flag, exclude_tmpdir_env_var: flag, exclude_slash_tmp: flag },
  'a table',
);

/**
 * The keys that are read. All others are dropped unchecked, so that the file of a newer Codex does not fail.
 * Source: Codex 0.28.0, `config.toml`; `developer_instructions` and `compact_prompt`: Codex 0.142.0.
 */
export const configSchema = z.object({
  model: text,
  model_provider: text,
  model_context_window: z.optional(whole),
  model_reasoning_effort: oneOf(REASONING_EFFORTS),
  model_reasoning_summary: oneOf(REASONING_SUMMARIES),
  model_verbosity: z.optional(oneOf(VERBOSITIES)),
  model_supports_reasoning_summaries: flag,
  approval_policy: oneOf(APPROVAL_POLICIES),
  sandbox_mode: oneOf(SANDBOX_MODES),
  sandbox_workspace_write: workspaceWrite,
  disable_response_storage: flag,
  show_raw_agent_reasoning: flag,
  project_doc_max_bytes: whole,
  experimental_instructions_file: z.optional(text),
  developer_instructions: z.optional(text),
  compact_prompt: z.optional(text),
  shell_environment_policy: shellEnvironment,
  profile: z.optional(text),
  profiles: z.record(z.string(), profile, 'a table of tables'),
  model_providers: z.record(z.string(), provider, 'a table of tables'),
  mcp_servers: z.record(z.string(), mcpServer, 'a table of tables'),
});

export type Checked = z.infer<typeof configSchema>;
export type ProviderTable = z.infer<typeof provider>;
export type ProfileTable = z.infer<typeof profile>;
