/** From sources to one Config: gather the layers, check them, apply the profile, resolve names to paths and providers. */
import type { ApprovalPolicy, SandboxMode, ThreadSettings } from '../protocol/codex';
import { builtIns } from './builtIns';
import { callLayer } from './callLayer';
import { type Ceiling, ceilingOf, isLooserMode, isLooserPolicy } from './ceiling';
import { check } from './check';
import type { Config } from './config';
import { deepFreeze } from './deepFreeze';
import type { ConfigDeps } from './deps';
import { fileLayer } from './fileLayer';
import { flagLayer } from './flagLayer';
import { type Path, type Table, tableOf } from './layer';
import { limitCall } from './limitCall';
import { chooseProfile, withProfile } from './profile';
import { readInstructions } from './readInstructions';
import { resolveCwd } from './resolveCwd';
import type { Checked } from './schema';
import { selectProvider } from './selectProvider';
import { toSources } from './sources';
import { toConfig } from './toConfig';

/**
 * Makes the Config of one new thread. Reads `config.toml` on each call, so that an edited file applies without a restart.
 * Returns a deeply frozen Config. Throws ConfigError, nothing else.
 * Source: Codex 0.28.0, which reads the file per tool call.
 */
export const loadConfig =
  (deps: ConfigDeps) =>
  (settings: ThreadSettings): Config => {
    const cwd = resolveCwd(deps)(settings.cwd);
    const layers = [builtIns(deps), fileLayer(deps), flagLayer(deps), callLayer(settings.config ?? {}, cwd)];
    const sources = toSources(layers);
    const checked = check(sources);
    const choice = chooseProfile({ deps, settings, sources }, checked);
    const chosen = withProfile(deps, choice, checked);
    const whereOf = (key: string): string => {
      const path = pathOf(checked, choice?.name, key);
      return sources.placeOf(path).where(path);
    };
    const ceiling = ceilingOfServer(deps);
    limitCall(deps, { settings, profile: choice?.byCall ? checked.profiles[choice.name] : undefined, ceiling });
    const provider = selectProvider({ deps, sources }, chosen, whereOf('model_provider'));
    const instructions = instructionsOf({ deps, cwd }, chosen, whereOf);
    const limited = belowCeiling(ceiling, chosen, settings);
    const rootsFrom = sources.placeOf(['sandbox_workspace_write', 'writable_roots']).folder;
    return deepFreeze(toConfig(chosen, settings, { cwd, rootsFrom, provider, ...instructions, ...limited }));
  };

/** Throws ConfigError. */
export const ceilingOfServer = (deps: ConfigDeps): Ceiling => {
  const { lock = false, allowCallOverride = false } = deps.limits ?? {};
  if (allowCallOverride) return { table: tableOf(), where: () => '', sealed: false };
  return ceilingOf(deps, lock ? lockedBy(deps) : undefined);
};

/** What a call that asks for nothing would run under. */
const lockedBy = (deps: ConfigDeps): { policy: ApprovalPolicy; mode: SandboxMode; table: Table } => {
  const sources = toSources([builtIns(deps), fileLayer(deps), flagLayer(deps)]);
  const checked = check(sources);
  const chosen = withProfile(deps, chooseProfile({ deps, settings: {}, sources }, checked), checked);
  return { policy: chosen.approval_policy, mode: chosen.sandbox_mode, table: sources.table };
};

/** A profile of the file may be looser than the flags; the stricter of both counts. */
const belowCeiling = (
  { policy, mode, sealed }: Ceiling,
  { approval_policy, sandbox_mode }: Checked,
  settings: ThreadSettings,
): Pick<Config, 'approvalPolicy' | 'sandboxMode' | 'sealed'> => {
  const approvalPolicy = settings.approvalPolicy ?? approval_policy;
  const sandboxMode = settings.sandbox ?? sandbox_mode;
  return {
    approvalPolicy: policy !== undefined && isLooserPolicy(approvalPolicy, policy) ? policy : approvalPolicy,
    sandboxMode: mode !== undefined && isLooserMode(sandboxMode, mode) ? mode : sandboxMode,
    sealed,
  };
};

/** The path of a key: within the chosen profile where that sets it, else at the top. */
const pathOf = ({ profiles }: Checked, profile: string | undefined, key: string): Path =>
  profile !== undefined && Object.hasOwn(profiles[profile] ?? {}, key) ? ['profiles', profile, key] : [key];

const INSTRUCTIONS_FILE = 'experimental_instructions_file';

/** The file is read, and must be readable, even where the call brings instructions of its own. */
const instructionsOf = (
  { deps: { readFile }, cwd }: { deps: ConfigDeps; cwd: string },
  { [INSTRUCTIONS_FILE]: name }: Checked,
  whereOf: (key: string) => string,
): Pick<Config, 'baseInstructions'> =>
  name === undefined ? {} : { baseInstructions: readInstructions({ readFile, cwd }, name, whereOf(INSTRUCTIONS_FILE)) };
