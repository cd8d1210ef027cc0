/** The settings in `config.toml`; syntax errors are reported with their lines. */
import { join, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { APPROVAL_POLICIES, SANDBOX_MODES } from '../../protocol/codex/settings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { WIRE_APIS } from '../../protocol/model/provider';
import { nearest } from '../../streams/text/nearest';
import { fileReasonOf, reasonOf, systemRemedy } from '../../streams/text/reasons';
import {
  APPROVAL_MODES,
  AUTH_METHODS,
  HISTORY_PERSISTENCES,
  INHERITS,
  REASONING_EFFORTS,
  REASONING_SUMMARIES,
  TRUST_LEVELS,
  VERBOSITIES,
  WEB_SEARCHES,
} from '../config';
import type { ConfigDeps } from '../deps';
import { ConfigError } from '../faults/configError';
import { dotted, found } from '../faults/errorText';
import { lineOf, tomlFaults } from '../faults/tomlFaults';
import { getIn, isTable, type Layer, type Path, type Table, type Toml, tableFrom, tableOf } from '../layer';
import { toToml } from './toToml';

/** The path of `config.toml` in a Codex home. */
export const configFile = (codexHome: string): string => join(codexHome, 'config.toml');

/** Reads a file; undefined if there is none. Throws ConfigError, which names the file, if it cannot be read. */
export const readText = (readFile: ConfigDeps['readFile'], path: string): string | undefined => {
  try {
    return readFile(path);
  } catch (error) {
    const remedy = systemRemedy((error as NodeJS.ErrnoException).code);
    throw new ConfigError([path, 'cannot be read', fileReasonOf(error), ...(remedy ? [remedy] : [])].join(': '));
  }
};

const syntaxError = (file: string, text: string, error: unknown): ConfigError =>
  error instanceof TomlError
    ? new ConfigError(
        tomlFaults(text).map(({ line, column, fault }) => `${file}:${line}:${column}: not TOML: ${fault}`),
      )
    : new ConfigError(`${file}: not TOML: ${reasonOf(error)}`);

const parseFile = (file: string, text: string): unknown => {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    throw syntaxError(file, text, error);
  }
};

/** A TOML file as plain data; undefined if there is none. Throws ConfigError. */
export const fileTable = ({ readFile }: Pick<ConfigDeps, 'readFile'>, file: string): JsonObject | undefined => {
  const text = readText(readFile, file);
  if (text === undefined) return undefined;
  try {
    return parse(text) as JsonObject;
  } catch (error) {
    throw syntaxError(file, text, error);
  }
};

const whereIn = (file: string, text: string) => {
  const find = lineOf(text);
  return (path: Path): string => {
    const line = find(path);
    return line === undefined ? file : `${file}:${line}`;
  };
};

/** What reading a file of settings needs; without `env` a `~` stays as it is. */
type FileDeps = Pick<ConfigDeps, 'codexHome' | 'readFile'> & Partial<Pick<ConfigDeps, 'env'>>;

/** The layer of a TOML file in the Codex home; empty if there is no such file. Throws ConfigError. */
export const tomlLayer = ({ codexHome, readFile, env }: FileDeps, file: string): Layer => {
  const text = readText(readFile, file);
  if (text === undefined) return [];
  const where = whereIn(file, text);
  const { value, warnings } = adaptValues(toToml(file, (float) => float)(parseFile(file, text)), where);
  return [{ path: [], value: fromFolder(fromHome(value, env), codexHome), where, folder: codexHome, warnings }];
};

/** The layer of `config.toml`; empty if there is no such file. Throws ConfigError. */
export const fileLayer = (deps: FileDeps): Layer => tomlLayer(deps, configFile(deps.codexHome));

/** The names of the key of a file of instructions in newer and older releases. */
export const INSTRUCTIONS_FILES = ['model_instructions_file', 'experimental_instructions_file'] as const;

/** A file of instructions is found from the folder of the settings that name it: what a repository has by that name is not meant. Source: codex 0.171.0. */
const fromFolder = (value: Toml, folder: string): Toml =>
  alsoInProfiles(INSTRUCTIONS_FILES.map((key) => [key])).reduce(
    (done, pattern) =>
      changeAt(done, { pattern, change: (name) => (typeof name === 'string' ? resolve(folder, name) : name) }),
    value,
  );

/** Keys that name files and folders. */
const PATHS: readonly Path[] = [
  ...INSTRUCTIONS_FILES.map((key) => [key]),
  ['sandbox_workspace_write', 'writable_roots'],
  ['mcp_servers', '*', 'cwd'],
  ['model_providers', '*', 'script'],
  ...['credentials', 'nkey', 'password_file', 'token_file', 'ca', 'cert', 'key'].map((key) => ['nats', key]),
];

/** The settings of the operator, in which a `~` that begins a path is the home. Source: codex 0.153.4 and 0.171.0. A call has no home. */
export const fromHome = (value: Toml, env: ConfigDeps['env'] = {}): Toml => {
  const home = env.HOME || env.USERPROFILE;
  if (!home) return value;
  const inHome = (path: Toml): Toml => (typeof path === 'string' ? path.replace(/^~(?=\/|$)/, () => home) : path);
  return alsoInProfiles(PATHS).reduce(
    (done, pattern) =>
      changeAt(done, { pattern, change: (now) => (Array.isArray(now) ? now.map(inHome) : inHome(now)) }),
    value,
  );
};

type Choice = {
  values: readonly string[];
  /** Used for an unknown value. */
  otherwise: string;
  /** Values of newer releases. */
  aliases?: Readonly<Record<string, string>>;
  /** The nearest value by its letters might allow more, so it is not used. */
  isStrict?: true;
  /** The value for a table, a form of newer releases; undefined if it says nothing that is known here. */
  ofTable?: (table: Table) => string | undefined;
};

/** `{ granular = { sandbox_approval = true, … } }`: on-request, but some kinds of questions are not asked and count as denied. Source: Codex 0.171.0. */
const ofGranular = (table: Table): string | undefined => {
  const asks = getIn(table, ['granular', 'sandbox_approval']);
  return typeof asks === 'boolean' ? (asks ? 'on-request' : 'never') : undefined;
};

/** `*` is any key. Source: the configuration of Codex 0.28.0 to 0.169.0. */
const CHOICES: readonly (readonly [Path, Choice])[] = [
  [['approval_policy'], { values: APPROVAL_POLICIES, otherwise: 'untrusted', isStrict: true, ofTable: ofGranular }],
  [['sandbox_mode'], { values: SANDBOX_MODES, otherwise: 'read-only', isStrict: true }],
  [['model_reasoning_effort'], { values: REASONING_EFFORTS, otherwise: 'medium' }],
  [['model_reasoning_summary'], { values: REASONING_SUMMARIES, otherwise: 'auto' }],
  [['model_verbosity'], { values: VERBOSITIES, otherwise: 'medium' }],
  [['preferred_auth_method'], { values: AUTH_METHODS, otherwise: 'chatgpt', aliases: { api: 'apikey' } }],
  [['web_search'], { values: WEB_SEARCHES, otherwise: 'disabled', isStrict: true }],
  [['history', 'persistence'], { values: HISTORY_PERSISTENCES, otherwise: 'none', isStrict: true }],
  [['shell_environment_policy', 'inherit'], { values: INHERITS, otherwise: 'core', isStrict: true }],
  [['projects', '*', 'trust_level'], { values: TRUST_LEVELS, otherwise: 'untrusted', isStrict: true }],
  [
    ['mcp_servers', '*', 'default_tools_approval_mode'],
    { values: APPROVAL_MODES, otherwise: 'prompt', isStrict: true },
  ],
  [
    ['mcp_servers', '*', 'tools', '*', 'approval_mode'],
    { values: APPROVAL_MODES, otherwise: 'prompt', isStrict: true },
  ],
  [['model_providers', '*', 'wire_api'], { values: WIRE_APIS, otherwise: 'responses' }],
];

/** A file's values, with a warning for each that was replaced. */
type Adapted = { value: Toml; warnings: string[] };

/** Replaces unknown values of keys that have a few, at the top and in profiles. @param where names the place of a path */
export const adaptValues = (value: Toml, where: (path: Path) => string): Adapted => {
  const replaced: string[] = [];
  const adapt = ({ values, ...choice }: Choice, now: Toml, at: Path): Toml => {
    if (typeof now === 'string' ? values.includes(now) : !isTable(now)) return now; // what is no text is a fault, which the check reports
    const instead = replacementOf(now, { values, ...choice });
    if (replaced.push(instead) <= MAX_WARNINGS)
      warnings.push(`${where(at)}: ${dotted(at)} is ${found(now, at)}, which is not known here; "${instead}" is used`);
    return instead;
  };
  const warnings: string[] = [];
  const adapted = CHOICES.flatMap(([path, choice]) =>
    alsoInProfiles([path]).map((one) => ({ path: one, choice })),
  ).reduce(
    (done, { path, choice }) => changeAt(done, { pattern: path, change: (now, at) => adapt(choice, now, at) }),
    value,
  );
  const more = replaced.length - warnings.length;
  return { value: adapted, warnings: more > 0 ? [...warnings, `${more} more values are not known here`] : warnings };
};

/** So many values are named; a file may have thousands. */
const MAX_WARNINGS = 20;

const replacementOf = (value: Toml, { values, otherwise, aliases = {}, isStrict, ofTable }: Choice): string => {
  if (typeof value !== 'string') return (isTable(value) ? ofTable?.(value) : undefined) ?? otherwise;
  return (Object.hasOwn(aliases, value) ? aliases[value] : isStrict ? undefined : nearest(value, values)) ?? otherwise;
};

const alsoInProfiles = (paths: readonly Path[]): Path[] => paths.flatMap((path) => [path, ['profiles', '*', ...path]]);

type Change = {
  /** `*` is any key. */
  pattern: Path;
  /** Returns what takes the place of a value. */
  change: (now: Toml, at: Path) => Toml;
  /** Where the value is. */
  at?: Path;
};

/** The value with each value at a path changed. A table is copied once, however many of its values change. */
const changeAt = (value: Toml, { pattern: [key, ...pattern], change, at = [] }: Change): Toml => {
  if (key === undefined) return change(value, at);
  if (!isTable(value)) return value;
  const names = key === '*' ? Object.keys(value) : Object.hasOwn(value, key) ? [key] : [];
  const changed = names.flatMap((name): [string, Toml][] => {
    const now = value[name] ?? '';
    const next = changeAt(now, { pattern, change, at: [...at, name] });
    return next === now ? [] : [[name, next]];
  });
  return changed.length === 0 ? value : tableOf(value, tableFrom(changed));
};
