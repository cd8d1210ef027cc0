/** Each effective setting of a thread, and its source; secrets are masked. */
import { maskAddress, maskArguments } from '../io/log/maskAddress';
import { REDACTED, redactText } from '../io/log/redactText';
import { holdsPassword, isSecretSetting } from '../io/log/secretNames';
import type { Provider } from '../protocol/model/provider';
import { compose } from './compose';
import type { Config } from './config';
import type { ConfigDeps } from './deps';
import { dotted } from './faults/errorText';
import { faultsOf } from './faultsOf';
import { getIn, isTable, type Path, type Toml } from './layer';
import type { Sources } from './layers/sources';
import { leavesIn } from './limits/callKeys';
import { loadConfig } from './loadConfig';
import { LOCAL } from './places/readEnvironment';
import { unreadPart } from './schema/unknownKeys';

/** A setting by its dotted key, as plain data. */
type EffectiveSetting = {
  key: string;
  value: unknown;
  /** A file and its line, a flag, a variable, or a default. */
  source: string;
};

type EffectiveSettings = {
  settings: EffectiveSetting[];
  /** Keys that have no effect here, also in profiles that are not in use. */
  ignored: string[];
  /** What in the configuration is not used as it is written, and the faults of parts that such a thread does not use. */
  warnings: string[];
};

/** The settings of a thread whose call sets nothing, sorted by key. Throws ConfigError. */
export const effectiveSettings = (deps: ConfigDeps): EffectiveSettings => {
  const config = loadConfig(deps)({});
  const { sources } = compose(deps, { cwdOf: () => config.cwd, settings: {} });
  const all = leavesIn({ path: [], value: sources.table });
  const leaves = all.filter(({ path }) => isEffective(sources, config.provider, path));
  const set = leaves
    .filter(({ path }) => unreadPart(path) === undefined)
    .map(({ path, value }) => ({ path, value: value as unknown, source: sources.placeOf(path).where(path) }));
  const settings = [...set.map((one) => limited(config, one)), ...derived(config, sources)]
    .map(({ path, value, source }) => ({ key: dotted(path), value: masked(path, value), source }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return { settings, ignored: ignoredOf(all), warnings: [...config.warnings, ...faultsOf(deps, {}).ofOthers] };
};

const ignoredOf = (leaves: readonly { path: Path }[]): string[] => {
  const parts = leaves.map(({ path }) => unreadPart(path)).filter((path) => path !== undefined);
  return [...new Set(parts.map(dotted))].sort();
};

type Entry = { path: Path; value: unknown; source: string };

/** Profiles that are not in use, and built-in providers that are not selected, have no effect. */
const isEffective = ({ placeOf }: Sources, { id }: Provider, path: Path): boolean => {
  if (path[0] === 'profiles') return false;
  return path[0] !== 'model_providers' || path[1] === id || !placeOf(path).where(path).startsWith(BUILT_IN);
};

const BUILT_IN = 'built-in default';

/** A profile may be looser than the flags. */
const limited = ({ approvalPolicy, sandboxMode }: Config, entry: Entry): Entry => {
  const [key] = entry.path;
  const limit = key === 'approval_policy' ? approvalPolicy : key === 'sandbox_mode' ? sandboxMode : entry.value;
  if (limit === entry.value) return entry;
  return { ...entry, value: limit, source: `the ceiling of the command line, below ${entry.source}` };
};

/** Keys of a provider that have defaults. */
const PROVIDER_KEYS = {
  wire_api: 'wireApi',
  request_max_retries: 'requestMaxRetries',
  stream_max_retries: 'streamMaxRetries',
  max_retries: 'maxRetries',
  connect_timeout_ms: 'connectTimeoutMs',
  stream_idle_timeout_ms: 'streamIdleTimeoutMs',
  answer_timeout_ms: 'answerTimeoutMs',
  requires_openai_auth: 'requiresOpenaiAuth',
} as const satisfies Record<string, keyof Provider>;

/** What follows from other settings. */
const derived = ({ provider, model, contextWindow, environmentId }: Config, { table }: Sources): Entry[] => {
  const entries: Entry[] = [
    {
      path: ['environment_id'],
      value: environmentId,
      source: environmentId === LOCAL ? BUILT_IN : 'environments.toml',
    },
    { path: ['model_context_window'], value: contextWindow, source: `${BUILT_IN} of ${model}` },
    ...Object.entries(PROVIDER_KEYS).map(([key, field]) => ({
      path: ['model_providers', provider.id, key],
      value: provider[field],
      source: BUILT_IN,
    })),
  ];
  return entries.filter(({ path }) => getIn(table, path) === undefined);
};

const hide = redactText({ secrets: [], maxChars: 4096 });

/** Headers, variables and parameters are masked whole; other texts if they look like a secret. */
const masked = (path: Path, value: unknown): unknown => {
  if (Array.isArray(value)) return maskedList(value).map((one) => masked(path, one));
  if (typeof value === 'bigint') return Number(value);
  if (isTable(value as Toml)) return value === null ? null : {};
  if (typeof value !== 'string') return value;
  if (isSecretPath(path) || holdsPassword(value)) return REDACTED;
  return hide(isServerAddress(path) ? maskAddress(value) : value);
};

/** Many services give out the address of an MCP server with the token in it. */
const isServerAddress = (path: Path): boolean => path[0] === 'mcp_servers' && path.at(-1) === 'url';

/** A list of words may be a command. */
const maskedList = (values: readonly unknown[]): readonly unknown[] =>
  values.every((value) => typeof value === 'string') ? maskArguments(values) : values;

/** The name of a variable is no secret. */
const isSecretPath = (path: Path): boolean =>
  !path.includes('env_http_headers') &&
  path.at(-1) !== 'bearer_token_env_var' &&
  path.some((key) => key === 'env' || isSecretSetting(key));
