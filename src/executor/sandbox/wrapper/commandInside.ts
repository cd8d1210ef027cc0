/** The command as bubblewrap starts it: after a check of the mounts, with the files for that closed, and signals reset. */
import type { ProcessSpec } from '../../../protocol/exec/process';
import { checkMounts } from './checkMounts';

/** Where the expected mounts are open. */
export const EXPECTED_FD = 5;

/** Variables that shells set by themselves. */
export const OF_SHELL = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** Signals that bubblewrap ignores and the command does not. */
export const SIGNALS = ['INT', 'TERM'];

/** Variables that load code into programs; the check of the mounts does not run with them. */
const BRINGS_CODE = /^(LD_[A-Za-z0-9_]+|GLIBC_TUNABLES|GCONV_PATH|LOCPATH)$/;

const keptAs = (name: string): string => `CODEX_RX_${name}`;

/** The environment that the shell inside starts with. */
export const toCheckedEnv = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [BRINGS_CODE.test(name) ? keptAs(name) : name, value]));

/** True for a shell that has arrays, and descriptors of more than one digit. */
export const isBash = ([program]: readonly string[]): boolean => program?.endsWith('/bash') ?? false;

/** @param fds open for the mounts, none where nothing is checked */
export type InsideDeps = { shell: readonly string[]; env: string | undefined; fds: readonly number[] };

/**
 * The command inside. The folders that its mounts were made from are closed, as an open folder outside leads anywhere. Its signals are
 * reset, and variables that shells add are removed, unless it was given them.
 */
export const commandInside = ({ shell, env, fds }: InsideDeps, { argv, env: own }: ProcessSpec): readonly string[] => {
  const checking = fds.length === 0 ? [] : [...shell, '-c', scriptOf(shell, fds, Object.keys(own)), 'sh'];
  if (env === undefined || argv[0]?.includes('=')) return [...checking, ...argv]; // env would take it for a variable
  const added = fds.length === 0 ? ['PWD'] : OF_SHELL;
  const without = added.filter((name) => own[name] === undefined).flatMap((name) => ['-u', name]);
  return [...checking, env, ...without, `--default-signal=${SIGNALS.join(',')}`, '--', ...argv];
};

const scriptOf = (shell: readonly string[], fds: readonly number[], names: readonly string[]): string =>
  [
    checkMounts(isBash(shell) ? 'bash' : 'sh', EXPECTED_FD),
    ...names
      .filter((name) => BRINGS_CODE.test(name))
      .map((name) => `export ${name}="$${keptAs(name)}"; unset ${keptAs(name)}`),
    `exec ${fds.map((fd) => `${fd}<&-`).join(' ')}`,
    'exec "$@"',
  ].join('\n');
