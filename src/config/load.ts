/** Owns the steps from sources to one Config: gather, check, lay the profile over, complete. */
import type { ThreadSettings } from '../protocol';
import { builtIns } from './builtIns';
import { callLayer } from './callLayer';
import { check } from './check';
import type { Config } from './config';
import { deepFreeze } from './deepFreeze';
import { fileLayer } from './fileLayer';
import { flagLayer } from './flagLayer';
import { readInstructions } from './instructions';
import type { Path } from './layer';
import type { ConfigDeps } from './loadConfig';
import { chooseProfile, withProfile } from './profile';
import { selectProvider } from './provider';
import { resolveCwd } from './resolveCwd';
import type { Checked } from './schema';
import { type Sources, toSources } from './sources';
import { toConfig } from './toConfig';

/** The Config of a new thread, deeply frozen. Throws ConfigError, nothing else. */
export const load = (deps: ConfigDeps, settings: ThreadSettings): Config => {
  const cwd = resolveCwd(deps, settings.cwd);
  const sources = toSources([builtIns(deps), fileLayer(deps), flagLayer(deps), callLayer(settings.config ?? {}, cwd)]);
  const checked = check(sources);
  const choice = chooseProfile(deps, settings, checked, sources);
  const chosen = withProfile(deps, choice, checked);
  const pathOf = (key: string) => pathUnder(checked, choice?.name, key);
  const provider = selectProvider(deps, sources, chosen, pathOf('model_provider'));
  const instructions = instructionsOf(deps, sources, cwd, chosen, pathOf('experimental_instructions_file'));
  return deepFreeze(toConfig(chosen, settings, { cwd, provider, ...instructions }));
};

// A key may stand in the chosen profile or at the top.
const pathUnder = ({ profiles }: Checked, profile: string | undefined, key: string): Path =>
  profile !== undefined && Object.hasOwn(profiles[profile]!, key) ? ['profiles', profile, key] : [key];

// The file is read, and must be good, also where the call's own instructions beat it.
const instructionsOf = (
  { readFile }: ConfigDeps,
  { placeOf }: Sources,
  cwd: string,
  { experimental_instructions_file: name }: Checked,
  path: Path,
): Pick<Config, 'baseInstructions'> =>
  name === undefined ? {} : { baseInstructions: readInstructions(readFile, cwd, name, placeOf(path).where(path)) };
