/** The environment of a thread, for an engine that reads the rest of the configuration itself, and the Codex there. */
import type { ThreadSettings } from '../protocol/codex/settings';
import type { ConfigDeps } from './deps';
import { toTable } from './layer';
import { builtIns } from './layers/builtIns';
import { callLayer } from './layers/callLayer';
import { fileLayer } from './layers/fileLayer';
import { flagLayer } from './layers/flagLayer';
import { chooseProfile, profileLayer } from './layers/profile';
import { toSources } from './layers/sources';
import { limitEnvironment } from './limits/limitEnvironment';
import { ceilingOfServer } from './loadConfig';
import { environmentTables } from './places/environmentsFile';
import { environmentIdOf } from './places/placeThread';

/** The id that these settings lead to, by the precedence of all keys; without settings, as the operator set it. Throws ConfigError. */
export const environmentOfCall = (deps: ConfigDeps, settings: ThreadSettings = {}): string => {
  const call = callLayer(settings.config ?? {}, deps.cwd);
  const sources = toSources([builtIns(deps), fileLayer(deps), flagLayer(deps), call]);
  const profile = profileLayer(deps, chooseProfile({ deps, settings, sources }), sources);
  return environmentIdOf(deps, { ...sources.table, ...toTable(profile) });
};

/** The same; throws ConfigError if the operator does not allow it. */
export const allowedEnvironment = (deps: ConfigDeps, settings: ThreadSettings): string => {
  const asked = environmentOfCall(deps, settings);
  checkEnvironment(deps, asked);
  return asked;
};

/** Throws ConfigError if the operator does not let threads work in an environment. */
export const checkEnvironment = (deps: ConfigDeps, asked: string): void => {
  const own = environmentOfCall(deps);
  if (asked === own) return;
  const { allowed_environments: named } = toSources([fileLayer(deps), flagLayer(deps)]).table;
  const allowed = Array.isArray(named) ? named.map(String) : undefined;
  limitEnvironment(deps, { asked, own, allowed, ceiling: ceilingOfServer(deps) });
};

/**
 * The program `codex` on the machine of an environment: the key `codex` of its table, which Codex does not have; otherwise `--codex`, if the operator sends
 * all threads there; otherwise `codex`. @param named the program of `--codex`
 */
export const codexOf = (deps: ConfigDeps, environmentId: string, named: string | undefined): string => {
  const path = environmentTables(deps).find(({ table }) => table.id === environmentId)?.table.codex;
  if (typeof path === 'string') return path;
  return (environmentId === environmentOfCall(deps) ? named : undefined) ?? 'codex';
};
