/** The environment of a thread, for an engine that reads the other configuration itself. */
import type { ThreadSettings } from '../protocol/codex';
import { builtIns } from './builtIns';
import { callLayer } from './callLayer';
import type { ConfigDeps } from './deps';
import { fileLayer } from './fileLayer';
import { flagLayer } from './flagLayer';
import { toTable } from './layer';
import { environmentIdOf } from './placeThread';
import { chooseProfile, profileLayer } from './profile';
import { toSources } from './sources';

/** The id that these settings come to, by the precedence of all keys; those of the operator alone without settings. Throws ConfigError. */
export const environmentOfCall = (deps: ConfigDeps, settings: ThreadSettings = {}): string => {
  const call = callLayer(settings.config ?? {}, deps.cwd);
  const sources = toSources([builtIns(deps), fileLayer(deps), flagLayer(deps), call]);
  const profile = profileLayer(deps, chooseProfile({ deps, settings, sources }), sources);
  return environmentIdOf(deps, { ...sources.table, ...toTable(profile) });
};
