/** Trust in a command is trust in the programs that its names find, and in what its shell reads first. */
import { basename, join } from 'node:path';
import type { Config } from '../../settings/config';
import type { RuledCommand } from '../safety/commandRules';
import { isFlag } from '../safety/operands';
import type { Trust } from '../safety/readTrust';
import { type KnownWords, scriptOf } from '../safety/script';
import { workingFolders } from '../safety/trustedPaths';

type TrustProgramsDeps = {
  /** The variables that commands see. */
  environmentOf: (policy: Config['shellEnvironment']) => Record<string, string>;
  /** The first of these names that a PATH finds in the workspace only, so that nobody may run it unasked. */
  workspaceProgram: (
    names: readonly string[],
    path: string | undefined,
    workspace: readonly string[],
  ) => string | undefined;
};

type ProgramPlace = {
  environment: Config['shellEnvironment'];
  /** Of the thread. */
  folder: string;
  /** Of the command. */
  cwd: string;
};

/**
 * Takes the trust from a command whose programs only the workspace has, as if the folder were `/` or `/usr`: without those folders of PATH
 * it would not be found, and with them it could be anything. It is then a command like any other.
 */
export const trustPrograms =
  ({ environmentOf, workspaceProgram }: TrustProgramsDeps, { environment, folder, cwd }: ProgramPlace) =>
  (argv: readonly string[], trust: Trust): Trust => {
    if (!trust.trusted) return trust;
    const names = [argv[0], ...trust.commands.map(([name]) => name)].filter((name) => name !== undefined);
    const found = workspaceProgram([...new Set(names)], environmentOf(environment).PATH, [folder, cwd]);
    return found === undefined ? trust : { trusted: false, why: `PATH finds ${found} only in the workspace` };
  };

type NeedsSandboxDeps = Pick<TrustProgramsDeps, 'environmentOf'> & {
  /** True if a trusted command could show secrets. */
  showsSecrets: (commands: readonly KnownWords[], folders: readonly string[]) => boolean;
  /** A PATH without the folders of the workspace, by their names or through links. */
  trustedPath: (path: string, workspace: readonly string[]) => string;
};

/** What it takes to trust a command. */
export type CommandTrustDeps = TrustProgramsDeps &
  NeedsSandboxDeps & {
    /** The nearest folder with a `.git`, from a folder upward, links resolved; undefined if there is none. */
    repositoryOf: (folder: string) => string | undefined;
  };

type Allowed = { argv: readonly string[]; byRules: Extract<RuledCommand, { decision: 'allow' }> };

type AllowedPlace = ProgramPlace & {
  /** `cwd` without links. */
  realCwd: string;
  /** The root of the project, if the user trusts it. */
  repository: string | undefined;
};

/**
 * Whether a command that a rule allows may run without a sandbox. The rule is meant for the user's own programs: it does not hold if the repository would
 * run one of its own, under a name that PATH finds there only, or by a profile of the shell. Git obeys the repository that it finds, hooks and all, so that
 * must be that of a project that the user trusts: a sandbox writes nothing in its `.git`, but may make others.
 */
export const mayRunFreely = (deps: CommandTrustDeps, { argv, byRules }: Allowed, place: AllowedPlace): boolean => {
  const trusted = trustPrograms(deps, place)(argv, { trusted: true, commands: byRules.commands }).trusted;
  if (!trusted || readsProfile(deps, argv, place)) return false;
  const git = byRules.commands.filter(([name]) => name !== undefined && basename(name) === 'git');
  const isTrusted = (folder: string): boolean => [undefined, place.repository].includes(deps.repositoryOf(folder));
  return (
    git.length === 0 ||
    (git.every(([, command]) => command !== undefined && !isFlag(command)) && // `-C`, `--git-dir` name another repository
      workingFolders(byRules.commands, place.realCwd)?.every(isTrusted) === true)
  );
};

/** A command that was examined. */
type Reader = {
  argv: readonly string[];
  trust: Trust;
  /** In which it works; undefined if they are not known. */
  folders: readonly string[] | undefined;
};

/** The trust in a command that needs a sandbox and would run without. */
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
