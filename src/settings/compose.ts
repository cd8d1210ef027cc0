/** All layers of a thread's settings, checked: defaults, file, flags, call, and the profile over them. */
import type { ThreadSettings } from '../protocol/codex/settings';
import type { Config } from './config';
import type { ConfigDeps } from './deps';
import { type Layer, type Table, toTable } from './layer';
import { builtIns } from './layers/builtIns';
import { callLayer } from './layers/callLayer';
import { fileLayer } from './layers/fileLayer';
import { flagLayer } from './layers/flagLayer';
import { chooseProfile, type ProfileChoice, profileLayer } from './layers/profile';
import { type Sources, toSources } from './layers/sources';
import { trustLayer } from './layers/trustLayer';
import { environmentIdOf, placeOfEnvironmentId } from './places/placeThread';
import { LOCAL } from './places/readEnvironment';
import { check } from './schema/check';
import type { Checked } from './schema/schema';
import { serverKeys } from './schema/serverKeys';
import { unknownKeys } from './schema/unknownKeys';

/**
 * The settings of a thread before names become paths and providers. `profile`: the keys of the profile in use, empty without one.
 * `place`: the machine and the folder of the thread. `warnings`: what is not used as it is written.
 */
export type Composed = {
  sources: Sources;
  checked: Checked;
  choice: ProfileChoice | undefined;
  profile: Table;
  place: Pick<Config, 'environmentId' | 'cwd'>;
  warnings: string[];
};

/**
 * @param cwdOf the absolute folder of the thread in an environment, which is named at a place
 * @param settings those of the call, empty for what the operator set
 */
export type ComposeInput = { cwdOf: (environmentId: string, place: () => string) => string; settings: ThreadSettings };

/**
 * Merges the layers and checks them, also profiles and providers that are not selected. A folder of another machine is not trusted: `projects` names folders
 * of this one. Throws ConfigError, which names every fault.
 * Source: Codex 0.28.0, CORE 2.5: a profile wins over the file, the flags and the `config` of a call.
 */
export const compose = (deps: ConfigDeps, { cwdOf, settings }: ComposeInput): Composed => {
  const defaults = builtIns(deps);
  const own: Layer[] = [fileLayer(deps), flagLayer(deps)];
  const call = (folder: string) => callLayer(settings.config ?? {}, folder);
  const base = toSources([defaults, ...own, call(deps.cwd)]);
  check(base);
  const choice = chooseProfile({ deps, settings, sources: base });
  const profile = profileLayer(deps, choice, base);
  const environmentId = environmentIdOf(deps, { ...base.table, ...toTable(profile) });
  const place = () => placeOfEnvironmentId(deps, toSources([defaults, ...own, call(deps.cwd), profile]));
  const cwd = cwdOf(environmentId, place);
  const trust = environmentId === LOCAL ? trustLayer(deps, cwd, own) : [];
  const layers = [defaults, trust, ...own, call(cwd), profile];
  const sources = toSources(layers);
  const warnings = layers.flatMap((layer) => layer.flatMap((setting) => setting.warnings ?? []));
  return {
    sources,
    checked: check(sources),
    choice,
    profile: toTable(profile),
    place: { environmentId, cwd },
    warnings: [...new Set([...warnings, ...unknownKeys(sources), ...serverKeys(sources)])],
  };
};
