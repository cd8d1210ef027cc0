/** The selected model provider, completed with defaults. */
import { resolve } from 'node:path';
import { ownOf } from '../protocol/jsonrpc/json';
import type { Provider } from '../protocol/model/provider';
import { toTimerMs } from '../streams/time/wait';
import type { ConfigDeps } from './deps';
import { ConfigError, notFound } from './faults/configError';
import { ENVIRONMENT } from './layers/builtIns';
import { configFile } from './layers/fileLayer';
import type { Sources } from './layers/sources';
import { misfit } from './schema/check';
import type { Checked, ProviderTable } from './schema/schema';

const mostRetries = 100;

/** Retries of one response, for any cause. */
const MAX_RETRIES = 9;

const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '');

/** A provider reached over HTTP needs an address. Only openai may lack one: the login in use decides it then. */
const misfitAddress = (
  sources: Sources,
  id: string,
  { base_url, wire_api }: ProviderTable,
): ConfigError | undefined => {
  const mayLackUrl = wire_api === 'scripted' || wire_api === 'client' || (id === 'openai' && base_url === undefined);
  if (mayLackUrl || (base_url !== undefined && isHttpUrl(base_url))) return undefined;
  return misfit(sources, ['model_providers', id, 'base_url'], 'a URL such as "http://localhost:8080/v1"');
};

/** Whoever sets a variable of the environment, as a project's .env may, must not get the key. */
const misplacedKey = (
  sources: Sources,
  id: string,
  { base_url, requires_openai_auth, env_key }: ProviderTable,
): ConfigError | undefined => {
  const hasCredential = requires_openai_auth === true || env_key !== undefined;
  if (base_url === undefined || !hasCredential || isOwnAddress(base_url)) return undefined;
  const path = ['model_providers', id, 'base_url'];
  const where = sources.placeOf(path).where(path);
  if (!where.startsWith(ENVIRONMENT)) return undefined;
  return new ConfigError(
    `${where}: the key of the provider ${id} is not sent to ${new URL(base_url).origin}, an address that the environment chose; set it by -c ${path.join('.')}=… or in config.toml`,
  );
};

/** True for OpenAI over https, and for this machine. */
const isOwnAddress = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)) return true;
  return protocol === 'https:' && /^(?:[\w-]+\.)*openai\.com$/.test(hostname);
};

/** Completes a provider with defaults. Source: Codex 0.28.0, `[model_providers.ID]`; `wire_api` defaults to `responses` as in later releases, not to `chat`. */
const toProvider = (id: string, table: ProviderTable): Provider => ({
  id,
  name: table.name,
  wireApi: table.wire_api ?? 'responses',
  ...(table.base_url === undefined ? {} : { baseUrl: table.base_url }),
  ...(table.env_key === undefined ? {} : { envKey: table.env_key }),
  ...(table.env_key_instructions === undefined ? {} : { envKeyInstructions: table.env_key_instructions }),
  queryParams: table.query_params ?? {},
  httpHeaders: table.http_headers ?? {},
  envHttpHeaders: table.env_http_headers ?? {},
  requestMaxRetries: Math.min(table.request_max_retries ?? 4, mostRetries),
  streamMaxRetries: Math.min(table.stream_max_retries ?? 5, mostRetries),
  maxRetries: maxRetriesOf(table),
  streamIdleTimeoutMs: toTimerMs(table.stream_idle_timeout_ms ?? 300_000),
  connectTimeoutMs: toTimerMs(table.connect_timeout_ms ?? 15_000),
  answerTimeoutMs: toTimerMs(table.answer_timeout_ms ?? 1_800_000),
  requiresOpenaiAuth: table.requires_openai_auth ?? false,
});

/** A limit that is configured for one kind of retry is also the limit for all kinds together. */
const maxRetriesOf = ({ max_retries, request_max_retries = 0, stream_max_retries = 0 }: ProviderTable): number =>
  Math.min(max_retries ?? Math.max(MAX_RETRIES, request_max_retries, stream_max_retries), mostRetries);

/**
 * The fault of the address of a provider; undefined if there is none.
 * @param table accepted by the schema
 */
export const addressFault = (sources: Sources, id: string, table: ProviderTable): ConfigError | undefined =>
  misfitAddress(sources, id, table) ?? misplacedKey(sources, id, table);

const tableNamed = (deps: ConfigDeps, checked: Checked, whereOf: () => string): ProviderTable => {
  const { model_provider: name, model_providers: providers } = checked;
  const table = ownOf(providers, name);
  if (table !== undefined) return table;
  const file = configFile(deps.codexHome);
  throw notFound({ what: 'Model provider', name, where: whereOf(), file, known: Object.keys(providers) });
};

const ORIGINATOR = 'responses_originator_header_internal_override';

/** The flags and files, and the source of each setting. */
type ProviderSources = { deps: ConfigDeps; sources: Sources };

/**
 * The provider that the settings select. A relative `script` starts at the folder of the file that names it.
 * @param whereOf finds the place of the key that selects it, for the error text
 * Throws ConfigError if there is none of that name, or it has no usable address.
 */
export const selectProvider = (
  { deps, sources }: ProviderSources,
  checked: Checked,
  whereOf: () => string,
): Provider => {
  const id = checked.model_provider;
  const table = tableNamed(deps, checked, whereOf);
  const fault = addressFault(sources, id, table);
  if (fault !== undefined) throw fault;
  const originator = checked[ORIGINATOR] ?? deps.env.CODEX_INTERNAL_ORIGINATOR_OVERRIDE?.trim();
  const provider = { ...toProvider(id, table), ...(originator && { originator }) };
  if (table.script === undefined) return provider;
  const { folder } = sources.placeOf(['model_providers', id, 'script']);
  return { ...provider, script: resolve(deps.cwd, folder, table.script) };
};
