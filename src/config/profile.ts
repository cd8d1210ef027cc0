/** Owns the choice of a profile and what it changes. */
import type { ThreadSettings } from '../protocol';
import { configFile } from './fileLayer';
import type { ConfigDeps } from './loadConfig';
import { notFound } from './notFound';
import type { Checked, ProfileTable } from './schema';
import type { Sources } from './sources';

/** The profile a thread runs under. `byCall`: the tool call named it, not the server's flags or the file. */
export type Choice = { name: string; where: string; byCall: boolean };

/**
 * Finds who names a profile: the call's argument, the call's `config`, the flag `-p`, the key `profile`; undefined: nobody.
 */
export const chooseProfile = (
  deps: ConfigDeps,
  settings: ThreadSettings,
  checked: Checked,
  { placeOf }: Sources,
): Choice | undefined => {
  if (settings.profile !== undefined) return { name: settings.profile, where: 'argument profile', byCall: true };
  const byCall = settings.config?.profile !== undefined;
  if (!byCall && deps.profile !== undefined) return { name: deps.profile, where: `-p ${deps.profile}`, byCall };
  if (checked.profile === undefined) return undefined;
  return { name: checked.profile, where: placeOf(['profile']).where(['profile']), byCall };
};

/**
 * Lays the chosen profile over the rest. Under `-m` a profile's model counts only if the call named the profile:
 * who starts the server with a model wants it, and a caller who names a profile wants that.
 * Throws ConfigError where there is no such profile.
 */
export const withProfile = (deps: ConfigDeps, choice: Choice | undefined, checked: Checked): Checked => {
  if (choice === undefined) return checked;
  const { model, ...rest } = profileNamed(deps, choice, checked);
  const keepsModel = deps.model === undefined || choice.byCall;
  return { ...checked, ...rest, ...(model !== undefined && keepsModel ? { model } : {}) };
};

const profileNamed = (deps: ConfigDeps, { name, where }: Choice, { profiles }: Checked): ProfileTable => {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const file = configFile(deps.codexHome);
  throw notFound({ what: 'config profile', name, where, file, known: Object.keys(profiles) });
};
