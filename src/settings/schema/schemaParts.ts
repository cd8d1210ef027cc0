/** The types of the configuration, and its tables of providers and MCP servers. Each message says what is expected. */
import * as z from 'zod/mini';
import type { SettingType } from '../../protocol/codex/settingRow';
import { WIRE_APIS } from '../../protocol/model/provider';
import { APPROVAL_MODES } from '../config';
import { listed } from '../faults/errorText';

const maxWhole = BigInt(Number.MAX_SAFE_INTEGER);
const wholeText = `a whole number from 0 to ${maxWhole}`;

/** A text. */
export const text = z.string('a string');
/** True or false. */
export const flag = z.boolean('true or false');
/** Texts in order. */
export const list = z.array(text, 'a list of strings');
/** Texts by name. */
export const texts = z.record(z.string(), text, 'a table of strings');
/** A whole number, which is a bigint in a file. */
export const whole = z.pipe(
  z.bigint(wholeText).check(z.gte(0n, wholeText), z.lte(maxWhole, wholeText)),
  z.transform((value) => Number(value)),
);
/** One of these words. */
export const oneOf = <const T extends readonly string[]>(values: T) => z.enum(values, `one of ${listed(values, '"')}`);

/** The type of a thread setting. */
export const ofType = (type: SettingType) => {
  if (typeof type === 'object') return oneOf(type);
  return { text, flag, whole, table: z.record(z.string(), z.unknown(), 'a table') }[type];
};

/** A table of `model_providers`. */
export const provider = z.object(
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

/** The table `nats`: how this machine logs in to a NATS server. Passwords are in files. */
export const nats = z.object(
  {
    credentials: z.optional(text),
    nkey: z.optional(text),
    user: z.optional(text),
    password_file: z.optional(text),
    token_file: z.optional(text),
    ca: z.optional(text),
    cert: z.optional(text),
    key: z.optional(text),
    prefix: z.optional(text),
    inbox: z.optional(text),
    domain: z.optional(text),
    name: z.optional(text),
  },
  'a table',
);

const seconds = z.union([whole, z.number().check(z.nonnegative())], 'a number of seconds');

/** A variable of this machine; newer releases know variables of others too. */
const variable = z.object({ name: text, source: z.optional(oneOf(['local'])) }, 'a name');

/** A table of `mcp_servers`. */
export const mcpServer = z.object(
  {
    command: z.optional(text),
    url: z.optional(text),
    bearer_token_env_var: z.optional(text),
    http_headers: z.optional(texts),
    env_http_headers: z.optional(texts),
    args: z.optional(list),
    env: z.optional(texts),
    env_vars: z.optional(z.array(z.union([text, variable]), 'a list of names')),
    cwd: z.optional(text),
    enabled: z.optional(flag),
    environment_id: z.optional(text),
    experimental_environment: z.optional(text),
    startup_timeout_sec: z.optional(seconds),
    startup_timeout_ms: z.optional(whole),
    tool_timeout_sec: z.optional(seconds),
    enabled_tools: z.optional(list),
    disabled_tools: z.optional(list),
    default_tools_approval_mode: z.optional(oneOf(APPROVAL_MODES)),
    tools: z.optional(z.record(z.string(), z.object({ approval_mode: z.optional(oneOf(APPROVAL_MODES)) }, 'a table'))),
  },
  'a table',
);
