/** Whether a trusted command must not run without a sandbox unasked, because it may do more there than read what anybody may see. */
import { join } from 'node:path';
import { type KnownWords, scriptOf, type Trust } from '../safety';
import type { ProgramPlace, TrustProgramsDeps } from './trustPrograms';

/**
 * @param showsSecrets whether a trusted command could show secrets
 * @param trustedPath a PATH without the folders of the workspace, by name or where they lead
 */
export type NeedsSandboxDeps = Pick<TrustProgramsDeps, 'environmentOf'> & {
  showsSecrets: (commands: readonly KnownWords[], folders: readonly string[]) => boolean;
  trustedPath: (path: string, workspace: readonly string[]) => string;
};

/** A command that was looked at. `folders`: those in which it works; undefined if they are not known. */
export type Reader = { argv: readonly string[]; trust: Trust; folders: readonly string[] | undefined };

/** What a reader is where no sandbox holds it, if it needs one. */
export const NOT_WITHOUT: Trust = { trusted: false, why: 'it may show a secret, or run a profile of the workspace' };

/** True for a trusted command that may show a secret, or whose shell reads a profile that the workspace may have written. */
export const needsSandbox = (deps: NeedsSandboxDeps, { argv, trust, folders }: Reader, place: ProgramPlace): boolean =>
  trust.trusted &&
  (folders === undefined || deps.showsSecrets(trust.commands, folders) || readsProfile(deps, argv, place));

/** Source: bash(1), INVOCATION. The first three are of a login shell; these usually read the last one. */
const PROFILES = ['.bash_profile', '.bash_login', '.profile', '.bashrc'];

/** A profile may lie in the workspace by its name, or by a link. */
const readsProfile = (
  { environmentOf, trustedPath }: NeedsSandboxDeps,
  argv: readonly string[],
  { environment, folder, cwd }: ProgramPlace,
): boolean => {
  if (scriptOf(argv) === undefined) return false; // any other trusted command is no shell
  const { HOME: home } = environmentOf(environment);
  if (!home) return true; // bash takes that of the system, which is not known here
  return [home, ...PROFILES.map((name) => join(home, name))].some((path) => trustedPath(path, [folder, cwd]) !== path);
};
