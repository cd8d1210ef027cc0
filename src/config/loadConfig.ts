/** From sources to one Config: gather the layers, check them, apply the profile, resolve names to paths and providers. */
import type { ThreadSettings } from '../protocol/codex';
import { builtIns } from './builtIns';
import { callLayer } from './callLayer';
import { check } from './check';
import type { Config } from './config';
import { deepFreeze } from './deepFreeze';
import type { ConfigDeps } from './deps';
import { fileLayer } from './fileLayer';
import { flagLayer } from './flagLayer';
import type { Path } from './layer';
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
    const provider = selectProvider({ deps, sources }, chosen, whereOf('model_provider'));
    const instructions = instructionsOf({ deps, cwd }, chosen, whereOf);
    return deepFreeze(toConfig(chosen, settings, { cwd, provider, ...instructions }));
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
