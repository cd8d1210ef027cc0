/** Trust in a command is trust in the programs that its names find. */
import type { Config } from '../config';
import type { Trust } from '../safety';

/**
 * @param environmentOf the variables that commands see
 * @param workspaceProgram the first of these names that a PATH finds in the workspace only, so that nobody may run it unasked
 */
export type TrustProgramsDeps = {
  environmentOf: (policy: Config['shellEnvironment']) => Record<string, string>;
  workspaceProgram: (
    names: readonly string[],
    path: string | undefined,
    workspace: readonly string[],
  ) => string | undefined;
};

/** `folder` is that of the thread, `cwd` that of the command. */
export type ProgramPlace = { environment: Config['shellEnvironment']; folder: string; cwd: string };

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
