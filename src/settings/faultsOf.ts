/** Every fault of every layer, for an error that names all of them: a load itself ends at the first. */
import type { ThreadSettings } from '../protocol/codex/settings';
import { type JsonObject, wordOf } from '../protocol/jsonrpc/json';
import type { ConfigDeps } from './deps';
import { notFound } from './faults/configError';
import { type Tried, tried } from './faults/tried';
import { getIn, isTable, type Layer } from './layer';
import { builtIns } from './layers/builtIns';
import { callLayer } from './layers/callLayer';
import { configFile, fileLayer, INSTRUCTIONS_FILES, tomlLayer } from './layers/fileLayer';
import { flagLayer } from './layers/flagLayer';
import { chooseProfile, type ProfileChoice, profileFile, profileLayer } from './layers/profile';
import { type Sources, toSources } from './layers/sources';
import { environmentTables } from './places/environmentsFile';
import { cwdIn, defaultCwdOf, environmentIdOf, placeOfEnvironmentId } from './places/placeThread';
import { readEnvironment } from './places/readEnvironment';
import { readInstructions } from './readInstructions';
import { readNats } from './readNats';
import { readThreadStore } from './readThreadStore';
import { check } from './schema/check';
import { provider } from './schema/schemaParts';
import { addressFault } from './selectProvider';

/** The faults of a configuration, each listed once. */
type Faults = {
  /** What keeps a thread from starting. */
  ofThread: readonly string[];
  /** The faults of parts that it does not use. */
  ofOthers: readonly string[];
};

/** Checks each layer and each part by itself. A part that cannot be read is empty for later parts. Never throws ConfigError. */
export const faultsOf = (deps: ConfigDeps, settings: ThreadSettings): Faults => {
  const layers = layersOf(deps, settings);
  const base = toSources([builtIns(deps), ...layers.map(({ value }) => value ?? [])]);
  const choice = chooseProfile({ deps, settings, sources: base });
  const profile = tried(() => profileLayer(deps, choice, base));
  const sources = toSources([builtIns(deps), ...layers.map(({ value }) => value ?? []), profile.value ?? []]);
  const used = [
    ...layers,
    ...[base, sources].map((merged) => tried(() => check(merged))),
    ...(isFileRead(layers) ? [profile, ...selectedFaults(deps, settings, sources)] : [ownFile(deps, choice)]),
    ...INSTRUCTIONS_FILES.map((key) => tried(() => checkInstructions(deps, sources, key))),
  ].flatMap(({ faults }) => faults);
  const ofThread = [...new Set(used)];
  const others = othersOf(deps, sources).flatMap(({ faults }) => faults);
  return { ofThread, ofOthers: [...new Set(others)].filter((fault) => !ofThread.includes(fault)) };
};

/** The file, each flag, and the keys of the call. */
const layersOf = (deps: ConfigDeps, { config = {} }: ThreadSettings): Tried<Layer>[] => [
  tried(() => fileLayer(deps)),
  ...deps.overrides.map((override) => tried(() => flagLayer({ cwd: deps.cwd, overrides: [override] }))),
  tried(() => flagLayer({ ...deps, overrides: [] })),
  ofCall(deps, config),
];

/** As one layer, however many keys a call sends: each layer costs a copy of the ones below. */
const ofCall = ({ cwd }: ConfigDeps, config: JsonObject): Tried<Layer> => {
  const keys = Object.entries(config).map(([key, value]) => tried(() => callLayer({ [key]: value }, cwd)));
  return { value: keys.flatMap(({ value }) => value ?? []), faults: keys.flatMap(({ faults }) => faults) };
};

/** If the file could not be read, missing names prove nothing. */
const isFileRead = ([file]: readonly Tried<Layer>[]): boolean => file?.value !== undefined;

const ownFile = (deps: ConfigDeps, choice: ProfileChoice | undefined): Tried<unknown> => {
  const file = choice && profileFile(deps.codexHome, choice.name);
  return file === undefined ? { faults: [] } : tried(() => tomlLayer(deps, file));
};

const selectedFaults = (deps: ConfigDeps, settings: ThreadSettings, sources: Sources): Tried<unknown>[] => [
  ...placeFaults(deps, settings, sources),
  tried(() => checkSelected(deps, sources)),
];

const placeFaults = (deps: ConfigDeps, settings: ThreadSettings, sources: Sources): Tried<unknown>[] => {
  const id = tried(() => environmentIdOf(deps, sources.table));
  const { value } = id;
  const place = () => placeOfEnvironmentId(deps, sources);
  return value === undefined ? [id] : [tried(() => cwdIn(deps, settings)(value, place))];
};

const checkSelected = (deps: ConfigDeps, sources: Sources): void => {
  const { model_provider: id, model_providers: tables } = sources.table;
  if (typeof id !== 'string' || !isTable(tables)) return; // which the schema reports
  if (Object.hasOwn(tables, id)) {
    checkProvider(sources, id);
    return;
  }
  const where = sources.placeOf(['model_provider']).where(['model_provider']);
  throw notFound({
    what: 'Model provider',
    name: id,
    where,
    file: configFile(deps.codexHome),
    known: Object.keys(tables),
  });
};

/** A provider that the schema rejects has its fault already. */
const checkProvider = (sources: Sources, id: string): void => {
  const read = provider.safeParse(getIn(sources.table, ['model_providers', id]));
  const fault = read.success ? addressFault(sources, id, read.data) : undefined;
  if (fault !== undefined) throw fault;
};

const checkInstructions = (deps: ConfigDeps, { table, placeOf }: Sources, key: string): void => {
  const name = table[key];
  if (typeof name === 'string') readInstructions(deps, name, placeOf([key]).where([key]));
};

/** Parts that the thread does not use: other providers and environments, MCP servers, NATS, and the place of threads. */
const othersOf = (deps: ConfigDeps, sources: Sources): Tried<unknown>[] => {
  const environments = tried(() => environmentTables(deps).map(({ table }) => wordOf(table.id)));
  return [
    ...keysOf(sources, 'model_providers').map((id) => tried(() => checkProvider(sources, id))),
    environments,
    ...(environments.value ?? []).flatMap((id) => [
      tried(() => readEnvironment(deps)(id)),
      tried(() => defaultCwdOf(deps, id)),
    ]),
    ...keysOf(sources, 'mcp_servers').map((name) => tried(() => checkServer(deps, sources, name))),
    tried(() => readNats(deps)),
    tried(() => readThreadStore(deps)),
  ];
};

const keysOf = ({ table }: Sources, key: string): string[] => {
  const tables = table[key];
  return isTable(tables) ? Object.keys(tables) : [];
};

/** The two names under which newer releases have the environment of a server. */
const SERVER_ENVIRONMENTS = ['environment_id', 'experimental_environment'] as const;

const checkServer = (deps: ConfigDeps, { table, placeOf }: Sources, name: string): void => {
  if (getIn(table, ['mcp_servers', name, 'enabled']) === false) return;
  for (const key of SERVER_ENVIRONMENTS) {
    const path = ['mcp_servers', name, key];
    const id = getIn(table, path);
    if (typeof id === 'string') readEnvironment(deps)(id, () => placeOf(path).where(path));
  }
};
