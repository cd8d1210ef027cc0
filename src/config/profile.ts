/** Which profile applies, and what it changes. */
import type { ThreadSettings } from '../protocol/codex';
import type { ConfigDeps } from './deps';
import { configFile } from './fileLayer';
import { notFound } from './notFound';
import type { Checked, ProfileTable } from './schema';
import type { Sources } from './sources';

/** The profile a thread runs under. `byCall`: the tool call named it, not the server's flags or the file. */
export type ProfileChoice = { name: string; where: string; byCall: boolean };

/** What names a profile besides the checked tables: the flags, the call, and the place of each setting. */
export type ProfileSources = { deps: ConfigDeps; settings: ThreadSettings; sources: Sources };

/**
 * Finds what names a profile. First match: the call's argument, the call's `config`, the flag `-p`, the key `profile`.
 * Returns undefined where nothing does.
 */
export const chooseProfile = (
  { deps, settings, sources: { placeOf } }: ProfileSources,
  checked: Checked,
): ProfileChoice | undefined => {
  if (settings.profile !== undefined) return { name: settings.profile, where: 'argument profile', byCall: true };
  const byCall = settings.config?.profile !== undefined;
  if (!byCall && deps.profile !== undefined) return { name: deps.profile, where: `-p ${deps.profile}`, byCall };
  if (checked.profile === undefined) return undefined;
  return { name: checked.profile, where: placeOf(['profile']).where(['profile']), byCall };
};

/**
 * Lays the chosen profile over the other settings. Under `-m` a profile's model applies only if the call named the
 * profile: `-m` is the choice of whoever started the server, and a caller who names a profile overrides it.
 * Throws ConfigError where there is no such profile.
 */
export const withProfile = (deps: ConfigDeps, choice: ProfileChoice | undefined, checked: Checked): Checked => {
  if (choice === undefined) return checked;
  const { model, ...rest } = profileNamed(deps, choice, checked);
  const appliesModel = deps.model === undefined || choice.byCall;
  return { ...checked, ...rest, ...(model !== undefined && appliesModel ? { model } : {}) };
};

const profileNamed = (deps: ConfigDeps, { name, where }: ProfileChoice, { profiles }: Checked): ProfileTable => {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const file = configFile(deps.codexHome);
  throw notFound({ what: 'config profile', name, where, file, known: Object.keys(profiles) });
};
