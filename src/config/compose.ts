/** All layers of a thread's settings, checked: defaults, file, flags, call, and the profile over them. */
import type { ThreadSettings } from '../protocol/codex';
import { builtIns } from './builtIns';
import { callLayer } from './callLayer';
import { check } from './check';
import type { ConfigDeps } from './deps';
import { fileLayer } from './fileLayer';
import { flagLayer } from './flagLayer';
import { type Layer, type Table, toTable } from './layer';
import { chooseProfile, type ProfileChoice, profileLayer } from './profile';
import type { Checked } from './schema';
import { type Sources, toSources } from './sources';
import { trustLayer } from './trustLayer';
import { unknownKeys } from './unknownKeys';

/**
 * The settings of a thread before names become paths and providers. `profile`: the keys of the profile in use, empty without one.
 * `warnings`: what is not used as it is written.
 */
export type Composed = {
  sources: Sources;
  checked: Checked;
  choice: ProfileChoice | undefined;
  profile: Table;
  warnings: string[];
};

/** @param cwd of the thread, absolute; @param settings those of the call, empty for what the operator set */
export type ComposeInput = { cwd: string; settings: ThreadSettings };

/**
 * Merges the layers and checks them, also profiles and providers that are not selected. Throws ConfigError, which names every fault.
 * Source: Codex 0.28.0, CORE 2.5: a profile wins over the file, the flags and the `config` of a call.
 */
export const compose = (deps: ConfigDeps, { cwd, settings }: ComposeInput): Composed => {
  const own: Layer[] = [fileLayer(deps), flagLayer(deps)];
  const layers = [builtIns(deps), trustLayer(deps, cwd, own), ...own, callLayer(settings.config ?? {}, cwd)];
  const base = toSources(layers);
  check(base);
  const choice = chooseProfile({ deps, settings, sources: base });
  const profile = profileLayer(deps, choice, base);
  const sources = toSources([...layers, profile]);
  const warnings = [...layers, profile].flatMap((layer) => layer.flatMap((setting) => setting.warnings ?? []));
  return {
    sources,
    checked: check(sources),
    choice,
    profile: toTable(profile),
    warnings: [...new Set([...warnings, ...unknownKeys(sources)])],
  };
};
