/** How this machine logs in to NATS: the table `[nats]` and the environment of the server, never what a call sets. */
import { resolve } from 'node:path';
import { isPlainName, PLAIN_NAME } from '../streams/text/trim';
import type { ConfigDeps } from './deps';
import { ConfigError } from './faults/configError';
import { tried } from './faults/tried';
import { builtIns } from './layers/builtIns';
import { fileLayer } from './layers/fileLayer';
import { flagLayer } from './layers/flagLayer';
import { toSources } from './layers/sources';
import { check, misfit } from './schema/check';
import type { Checked } from './schema/schema';

/** The table `[nats]` of config.toml and the environment. Files are absolute paths, read at each login. */
export type NatsSettings = {
  /** The user of a decentralized account. */
  credentialsFile?: string;
  /** A seed. */
  nkeyFile?: string;
  user?: string;
  /** From the environment. */
  password?: string;
  passwordFile?: string;
  /** From the environment. */
  token?: string;
  tokenFile?: string;
  /** TLS, in PEM, like `certFile` and `keyFile`. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  /** Begins every subject and the name of every stream and bucket. */
  prefix: string;
  /** Begins the subjects of responses. */
  inbox: string;
  /** The domain of JetStream. */
  domain?: string;
  /** The name of the connection in the lists of the server. */
  name: string;
};

/** The settings if the operator set nothing. */
export const NATS_DEFAULTS: NatsSettings = { prefix: 'codex-rx', inbox: '_INBOX', name: 'codex-rx' };

type Key = keyof NonNullable<Checked['nats']>;

/** The setting of each key of the table. Values of these keys are paths, relative to their file. */
const FILES = {
  credentials: 'credentialsFile',
  nkey: 'nkeyFile',
  password_file: 'passwordFile',
  token_file: 'tokenFile',
  ca: 'caFile',
  cert: 'certFile',
  key: 'keyFile',
} as const satisfies Partial<Record<Key, keyof NatsSettings>>;

const TEXTS = ['user', 'prefix', 'inbox', 'domain', 'name'] as const;

/** Variables that override the table. Source: the command line client of NATS, except for the last. */
const VARIABLES: Readonly<Record<string, keyof NatsSettings>> = {
  NATS_CREDS: 'credentialsFile',
  NATS_NKEY: 'nkeyFile',
  NATS_USER: 'user',
  NATS_PASSWORD: 'password',
  NATS_TOKEN: 'token',
  NATS_CA: 'caFile',
  NATS_CERT: 'certFile',
  NATS_KEY: 'keyFile',
  NATS_INBOX_PREFIX: 'inbox',
  NATS_JS_DOMAIN: 'domain',
  CODEX_RX_NATS_PREFIX: 'prefix',
};

/** The settings as the operator set them: defaults, config.toml, flags, environment; profiles do not count. Throws ConfigError. */
export const readNats = (deps: ConfigDeps): NatsSettings => {
  const sources = toSources([builtIns(deps), fileLayer(deps), flagLayer(deps)]);
  const table = check(sources).nats ?? {};
  const folderOf = (key: string): string => sources.placeOf(['nats', key]).folder;
  const files = Object.entries(FILES).flatMap(([key, name]) => {
    const path = table[key as Key];
    return path === undefined ? [] : [[name, resolve(folderOf(key), path)]];
  });
  const texts = TEXTS.flatMap((key) => (table[key] === undefined ? [] : [[key, table[key]]]));
  const inTable = Object.fromEntries([...files, ...texts]);
  for (const key of Object.keys(inTable))
    checked(key, inTable[key], (expected) => misfit(sources, ['nats', key], expected));
  return { ...NATS_DEFAULTS, ...inTable, ...fromEnvironment(deps) };
};

const SECRET_FILES = ['credentialsFile', 'nkeyFile', 'passwordFile', 'tokenFile', 'keyFile'] as const;

/** Absolute paths of the files with which this machine logs in; none if the settings are faulty, as nothing logs in then. */
export const natsFiles = (deps: ConfigDeps): string[] => {
  const settings = tried(() => readNats(deps)).value;
  return SECRET_FILES.flatMap((name) => settings?.[name] ?? []);
};

/** What becomes part of subjects and of the names of streams. */
const RULES: Readonly<Record<string, { fits: (value: string) => boolean; expected: string }>> = {
  prefix: { fits: isPlainName, expected: PLAIN_NAME },
  domain: { fits: isPlainName, expected: PLAIN_NAME },
  inbox: { fits: (value) => /^[^\s.*>]+(\.[^\s.*>]+)*$/.test(value), expected: 'a subject without spaces, * and >' },
};

const checked = (key: string, value: string, fault: (expected: string) => ConfigError): string => {
  const rule = RULES[key];
  if (rule === undefined || rule.fits(value)) return value;
  throw fault(rule.expected);
};

/** A blank variable counts as unset. */
const fromEnvironment = ({ env, cwd }: ConfigDeps): Partial<NatsSettings> =>
  Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([variable, name]) => {
      const value = env[variable]?.trim();
      if (!value) return [];
      const fault = (expected: string) =>
        new ConfigError(`${variable} is ${JSON.stringify(value)}, expected ${expected}`);
      return [[name, name.endsWith('File') ? resolve(cwd, value) : checked(name, value, fault)]];
    }),
  );
