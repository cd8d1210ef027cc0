/** Owns the choice of a model provider and its completion with defaults. */
import { resolve } from 'node:path';
import type { Provider } from '../protocol';
import { toTimerMs } from '../streams';
import { misfit } from './check';
import { configFile } from './fileLayer';
import type { Path } from './layer';
import type { ConfigDeps } from './loadConfig';
import { notFound } from './notFound';
import type { Checked, ProviderTable } from './schema';
import type { Sources } from './sources';

const maxRetries = 100;

const isHttpUrl = (text: string): boolean => /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '');

// A provider asked for over HTTP has an address; openai alone may leave it to the login that is in use.
const checkAddress = (sources: Sources, id: string, { base_url, wire_api }: ProviderTable): void => {
  const isFree = wire_api === 'scripted' || (id === 'openai' && base_url === undefined);
  if (isFree || (base_url !== undefined && isHttpUrl(base_url))) return;
  throw misfit(sources, ['model_providers', id, 'base_url'], 'a URL such as "http://localhost:8080/v1"');
};

const absolute = (deps: ConfigDeps, { placeOf }: Sources, path: Path, script: string): string =>
  resolve(deps.cwd, placeOf(path).folder, script);

/**
 * Completes a provider.
 * Source: Codex 0.28.0, `[model_providers.ID]`; the wire defaults to `responses` as in newer releases, not to `chat`.
 */
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
  requestMaxRetries: Math.min(table.request_max_retries ?? 4, maxRetries),
  streamMaxRetries: Math.min(table.stream_max_retries ?? 5, maxRetries),
  streamIdleTimeoutMs: toTimerMs(table.stream_idle_timeout_ms ?? 300_000),
  requiresOpenaiAuth: table.requires_openai_auth ?? false,
});

const tableNamed = (deps: ConfigDeps, checked: Checked, where: string): ProviderTable => {
  const { model_provider: name, model_providers: providers } = checked;
  const table = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (table !== undefined) return table;
  const file = configFile(deps.codexHome);
  throw notFound({ what: 'Model provider', name, where, file, known: Object.keys(providers) });
};

/**
 * The provider that the settings select.
 * @param named path of the key that selects it, for the error text
 * Throws ConfigError where there is none of that name, or it has no usable address.
 */
export const selectProvider = (deps: ConfigDeps, sources: Sources, checked: Checked, named: Path): Provider => {
  const id = checked.model_provider;
  const table = tableNamed(deps, checked, sources.placeOf(named).where(named));
  checkAddress(sources, id, table);
  if (table.script === undefined) return toProvider(id, table);
  return { ...toProvider(id, table), script: absolute(deps, sources, ['model_providers', id, 'script'], table.script) };
};
