/** From sources to one Config: gather the layers, check them, apply the profile, resolve names to paths and providers. */
import type { ApprovalPolicy, SandboxMode, ThreadSettings } from '../protocol/codex/settings';
import { toJson } from '../protocol/jsonrpc/json';
import { memoize } from '../streams/lazy';
import { recentMap } from '../streams/recentMap';
import { type Composed, compose } from './compose';
import type { Config } from './config';
import type { ConfigDeps } from './deps';
import { ConfigError } from './faults/configError';
import { faultsOf } from './faultsOf';
import { type Table, tableOf } from './layer';
import { INSTRUCTIONS_FILES } from './layers/fileLayer';
import { projectFilesIn } from './layers/projectLayer';
import { checkCallSize, leavesOf } from './limits/callKeys';
import { type Ceiling, ceilingOf, modeBelow, policyBelow } from './limits/ceiling';
import { limitCall } from './limits/limitCall';
import { limitEnvironment, limitFilesElsewhere } from './limits/limitEnvironment';
import { pinFolders } from './limits/limitFiles';
import { cwdIn, depsAt } from './places/placeThread';
import { LOCAL } from './places/readEnvironment';
import { readInstructions } from './readInstructions';
import { readRules } from './rules/readRules';
import type { Checked } from './schema/schema';
import { selectProvider } from './selectProvider';
import { toConfig } from './toConfig';

/**
 * Makes the Config of one new thread. Reads `config.toml` on each call, so that an edited file applies without a restart.
 * Returns a deeply frozen Config. Throws ConfigError, nothing else; if the configuration has a fault, the error names every fault, also in parts that this
 * thread does not use. A call that asks for too much is refused for that alone.
 * Source: Codex 0.28.0, which reads the file per tool call.
 */
export const loadConfig =
  (deps: ConfigDeps) =>
  (settings: ThreadSettings): Config => {
    checkCallSize(settings.config ?? {});
    try {
      return load(deps, settings);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const { ofThread, ofOthers } = faultsOf(deps, settings);
      const all = ofThread.length === 0 ? error.faults : [...ofThread, ...error.faults, ...ofOthers];
      throw new ConfigError([...new Set(all)]);
    }
  };

/** The first fault that is met is thrown. */
const load = (given: ConfigDeps, settings: ThreadSettings): Config => {
  const deps = { ...given, realpath: memoize(given.realpath) }; // what is checked is what is used: a link may change meanwhile
  const composed = compose(deps, {
    cwdOf: cwdIn(deps, settings),
    settings,
  });
  const { sources, checked, choice, profile, place } = composed;
  const whereOf = (key: string): string => sources.placeOf([key]).where([key]);
  const ceiling = ceilingOfServer(deps);
  limitCall(depsAt(withoutDenied(deps, composed), place.environmentId), {
    settings,
    profile: choice?.byCall ? profile : undefined,
    ceiling,
  });
  limitPlace(deps, { settings, choice, place });
  const provider = selectProvider({ deps, sources }, checked, () => whereOf('model_provider'));
  const instructions = instructionsOf(
    { deps, cwd: place.environmentId === LOCAL ? place.cwd : deps.cwd },
    checked,
    whereOf,
  );
  const limited = belowCeiling(ceiling, checked, settings);
  const rootsFrom = sources.placeOf(['sandbox_workspace_write', 'writable_roots']).folder;
  const own = ofUser(deps, composed, limited);
  const completed = { ...place, rootsFrom, ownRoots: composed.ownRoots, provider, ...instructions, ...limited, ...own };
  const config = toConfig(checked, settings, completed);
  if (place.environmentId !== LOCAL) return deepFreeze({ ...config, folders: {} });
  return deepFreeze({ ...config, ...ofFolders(deps, checked, config), folders: pinFolders(deps, config) });
};

/** What starts programs in a later thread stays as it is, also in folders that this thread may write. A root that is not there is named. */
const ofFolders = (
  deps: ConfigDeps,
  { projects }: Checked,
  { cwd, sandboxMode, workspaceWrite, protectedPaths, warnings }: Omit<Config, 'folders'>,
): Partial<Config> => {
  if (sandboxMode !== 'workspace-write') return {};
  const { writableRoots } = workspaceWrite;
  const kept = projectFilesIn(deps, projects, [
    cwd,
    ...writableRoots,
    '/tmp',
    ...(deps.env.TMPDIR ? [deps.env.TMPDIR] : []),
  ]);
  const { denied, readOnly } = protectedPaths ?? { denied: [], readOnly: [] };
  const missing = writableRoots.filter((root) => !deps.isDirectory(root));
  return {
    ...(kept.length > 0 && { protectedPaths: { denied, readOnly: [...readOnly, ...kept] } }),
    warnings: [
      ...warnings,
      ...missing.map((root) => `the writable root ${root} is no folder, and is left out; make it, or name another`),
    ],
  };
};

/** A call names no file that the user's permission profile denies. */
const withoutDenied = (deps: ConfigDeps, { protectedPaths }: Composed): ConfigDeps => ({
  ...deps,
  secretPlaces: () => [...deps.secretPlaces(), ...(protectedPaths?.denied ?? []).map(deps.realpath)],
});

/** The user's own rules, and what of them cannot be kept. Outside of a sandbox every file could be read, so nothing leads out of it then. */
const ofUser = (
  deps: ConfigDeps,
  { projects, warnings, protectedPaths, unkept }: Composed,
  { sandboxMode, alwaysSandboxed }: Pick<Config, 'sandboxMode' | 'alwaysSandboxed'>,
): Pick<Config, 'rules' | 'protectedPaths' | 'warnings' | 'unkept' | 'alwaysSandboxed'> => {
  const { rules, faults, warnings: unused } = readRules(deps, projects);
  const denies = protectedPaths !== undefined && protectedPaths.denied.length > 0;
  const all = [...unkept, ...faults, ...(denies && sandboxMode === 'danger-full-access' ? [NOT_WITH_FULL_ACCESS] : [])];
  return {
    warnings: [...warnings, ...unused],
    alwaysSandboxed: alwaysSandboxed || denies,
    ...(rules !== undefined && { rules }),
    ...(protectedPaths !== undefined &&
      protectedPaths.denied.length + protectedPaths.readOnly.length > 0 && { protectedPaths }),
    ...(all.length > 0 && { unkept: all }),
  };
};

const NOT_WITH_FULL_ACCESS =
  'sandbox_mode = "danger-full-access" cannot keep files from being read that the permission profile denies; take another mode, or remove the entries "deny"';

type Place = Pick<Config, 'environmentId' | 'cwd'>;

/** The settings of the operator are read only if the call may have chosen another machine. */
const limitPlace = (deps: ConfigDeps, { settings, choice, place: { environmentId: asked } }: Chosen): void => {
  if (asked !== LOCAL) limitFilesElsewhere(deps, settings);
  const isChosen = leavesOf(settings.config ?? {}).some(({ path: [key] }) => key === 'environment_id');
  if (!isChosen && !choice?.byCall) return;
  const { place, checked } = ofOperator(deps);
  const ceiling = ceilingOfServer(deps);
  limitEnvironment(deps, { asked, own: place.environmentId, allowed: checked.allowed_environments, ceiling });
};

type Chosen = { settings: ThreadSettings; choice: Composed['choice']; place: Place };

/** What the operator set, above which no call may go. Throws ConfigError. */
export const ceilingOfServer = (deps: ConfigDeps): Ceiling => {
  const { lock = false, allowCallOverride = false } = deps.limits ?? {};
  if (allowCallOverride) return { table: tableOf(), bounds: () => ({}), where: () => '', alwaysSandboxed: false };
  return { ...ceilingOf(deps, lock ? lockedBy(deps) : undefined), bounds: () => ofOperator(deps).checked };
};

/** The settings of a call that sets nothing. */
const lockedBy = (deps: ConfigDeps): { policy: ApprovalPolicy; mode: SandboxMode; table: Table } => {
  const { sources, checked } = ofOperator(deps);
  return { policy: checked.approval_policy, mode: checked.sandbox_mode, table: sources.table };
};

const ofOperator = (deps: ConfigDeps): Composed => compose(deps, { cwdOf: () => deps.cwd, settings: {} });

/** A profile of the file may be looser than the flags; the stricter of both counts. */
const belowCeiling = (
  { policy, mode, alwaysSandboxed }: Ceiling,
  { approval_policy, sandbox_mode }: Checked,
  settings: ThreadSettings,
): Pick<Config, 'approvalPolicy' | 'sandboxMode' | 'alwaysSandboxed'> => ({
  approvalPolicy: policyBelow(settings.approvalPolicy ?? approval_policy, policy),
  sandboxMode: modeBelow(settings.sandbox ?? sandbox_mode, mode),
  alwaysSandboxed,
});

/** The file is read, and must be readable, even if the call brings instructions of its own. */
const instructionsOf = (
  { deps: { readFile }, cwd }: { deps: ConfigDeps; cwd: string },
  checked: Checked,
  whereOf: (key: string) => string,
): Pick<Config, 'baseInstructions'> => {
  const key = INSTRUCTIONS_FILES.find((name) => checked[name] !== undefined);
  const name = key && checked[key];
  return key === undefined || name === undefined
    ? {}
    : { baseInstructions: readInstructions({ readFile, cwd }, name, whereOf(key)) };
};

/** Freezes a plain value and everything in it. Own code: a package would be longer than these lines. */
const deepFreeze = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
};

/** What a Config was made from: the result of each access to the machine, by function and path. */
type Access = Pick<ConfigDeps, 'readFile' | 'namesIn' | 'exists' | 'isDirectory' | 'realpath'>;
type Seen = { [K in keyof Access]: Map<string, ReturnType<Access[K]>> };
/** A client alternates between few settings; others are loaded again. */
const KEPT_SETTINGS = 16;

/**
 * As `loadConfig`: each call checks the files and folders that its settings depend on, so an edited file applies at once, but
 * parses and checks them only if one has changed. Threads of the same settings share one Config. The environment and the flags
 * must stay as they are. Throws ConfigError, nothing else.
 */
export const reuseConfig = (deps: ConfigDeps): ((settings: ThreadSettings) => Config) => {
  const kept = recentMap<{ config: Config; seen: Seen }>(KEPT_SETTINGS); // by settings
  return (settings) => {
    const key = toJson(settings);
    const last = kept.get(key);
    if (last !== undefined && isUnchanged(deps, last.seen)) return last.config;
    const [readFile, namesIn] = [new Map(), new Map()];
    const seen: Seen = { readFile, namesIn, exists: new Map(), isDirectory: new Map(), realpath: new Map() };
    const config = loadConfig({ ...deps, ...recording(deps, seen) })(settings);
    kept.set(key, { config, seen });
    return config;
  };
};

/** Accesses each path once, and records the results. An error is not recorded, as there is no Config then. */
const recording = (deps: Access, seen: Seen): Access => ({
  readFile: once(deps.readFile, seen.readFile),
  namesIn: once(deps.namesIn, seen.namesIn),
  exists: once(deps.exists, seen.exists),
  isDirectory: once(deps.isDirectory, seen.isDirectory),
  realpath: once(deps.realpath, seen.realpath),
});

const once =
  <R>(look: (path: string) => R, results: Map<string, R>) =>
  (path: string): R => {
    if (!results.has(path)) results.set(path, look(path));
    return results.get(path) as R;
  };

const isUnchanged = (deps: Access, { readFile, namesIn, exists, isDirectory, realpath }: Seen): boolean =>
  isSame(deps.readFile, readFile) &&
  isSame(deps.namesIn, namesIn) &&
  isSame(deps.exists, exists) &&
  isSame(deps.isDirectory, isDirectory) &&
  isSame(deps.realpath, realpath);

/** False also if an access fails now: the next load reports it. */
const isSame = <R>(look: (path: string) => R, results: Map<string, R>): boolean => {
  try {
    return [...results].every(([path, result]) => isEqual(look(path), result));
  } catch {
    return false;
  }
};

const isEqual = (a: unknown, b: unknown): boolean => a === b || (Array.isArray(a) && toJson(a) === toJson(b));
