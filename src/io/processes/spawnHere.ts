/**
 * Starts programs of this machine, as `spawn` of node:child_process does. On Windows that function finds no batch file, such as `npx.cmd`, and looks into
 * the folder of the child before PATH, which may be a checkout of strangers. Own code: cross-spawn escapes what a batch file reads only once.
 */
import { constants } from 'node:os';
import { win32 } from 'node:path';
import { noBackpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { isFile } from '../paths/look';
import type { ChildDeps, Spawn } from './child';
import { fileNamesOf, pathFolders } from './trustedFolders';
import { watchGroups } from './watchGroups';

const childProcess = lazy(() => require('node:child_process') as typeof import('node:child_process'));

/** Throws if Windows cannot start the program. Elsewhere the child has the error as an event. */
export const spawnHere: Spawn = (program, args, options) => {
  const { spawn } = childProcess();
  if (process.platform !== 'win32') return spawn(program, args, options);
  const start = windowsStart({ isFile }, [program, ...args], options);
  return spawn(start.program, start.args, {
    ...options,
    windowsHide: true,
    windowsVerbatimArguments: start.isVerbatim,
  });
};

/** What a command needs to start programs whose output is read as it comes. */
export const childrenHere = (): ChildDeps => ({
  spawn: spawnHere,
  backpressure: noBackpressure,
  signals: constants.signals,
  watch: watchGroups({ spawn: spawnHere }),
});

type Place = { cwd?: string | URL; env?: Readonly<Record<string, string | undefined>> };

/** What Windows gets: with `isVerbatim` the arguments joined by blanks are the rest of the command line. */
type WindowsStart = { program: string; args: readonly string[]; isVerbatim: boolean };

type WindowsDeps = {
  /** True for the path of a file. */
  isFile: (path: string) => boolean;
};

/** The start of a command on Windows: batch files by the command interpreter. Throws an error with the code ENOENT if PATH has no such program. */
export const windowsStart = (
  deps: WindowsDeps,
  [name = '', ...args]: readonly string[],
  { cwd, env = {} }: Place,
): WindowsStart => {
  const names = fileNamesOf('win32', name);
  const folders = /[\\/:]/.test(name)
    ? [String(cwd ?? '.')]
    : pathFolders({ platform: 'win32' }, variable(env, 'PATH')).filter((folder) => win32.isAbsolute(folder));
  const program = folders.flatMap((folder) => names.map((one) => win32.resolve(folder, one))).find(deps.isFile);
  if (program === undefined)
    throw Object.assign(new Error(`spawn ${name} ENOENT`), { code: 'ENOENT', path: name, syscall: `spawn ${name}` });
  return /\.(?:bat|cmd)$/i.test(program) ? batchStart(program, args, env) : { program, args, isVerbatim: false };
};

/** `/v:OFF` keeps `!`, `/d` leaves out the registry, `/c` takes outer quotes away. Source: Rust's standard library, CVE-2024-24576. */
const batchStart = (file: string, args: readonly string[], env: Place['env']): WindowsStart => {
  if (args.some((arg) => /[\0\r\n]/.test(arg)))
    throw new Error(`The batch file ${file} can take no line breaks: name the program that it starts`);
  const line = [file, ...args].map(quoted).join(' ');
  return {
    program: systemProgram(env, 'cmd.exe'),
    args: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`],
    isVerbatim: true,
  };
};

/**
 * In quotes nothing commands the interpreter but `"` and `%`. A quote is doubled, and so are the backslashes before it, for the program that reads the
 * arguments. Before `%` comes a second one with a variable of no length, so that no name of a variable follows it.
 */
const quoted = (arg: string): string =>
  `"${arg.replace(/(\\*)("|$)/g, (_, slashes, quote) => `${slashes}${slashes}${quote && '""'}`).replaceAll('%', '%%cd:~,%')}"`;

/**
 * Ends a process of Windows and those below it. It waits for that, as this process may end next; the program of the system that lists processes needs about
 * 100 ms. What it cannot end, because it is over or not permitted, is left.
 */
export const endTree = (pid: number, env: Place['env']): void => {
  const { status } = childProcess().spawnSync(systemProgram(env, 'taskkill.exe'), ['/T', '/F', '/PID', String(pid)], {
    stdio: 'ignore',
    windowsHide: true,
  });
  if (status === 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {} // it is over
};

/** A program of Windows itself, by its path: its name alone would be looked for in the current folder first. */
const systemProgram = (env: Place['env'] = {}, name: string): string =>
  win32.join(variable(env, 'SYSTEMROOT') ?? 'C:\\Windows', 'System32', name);

/** The names of variables are the same in any case there. */
const variable = (env: NonNullable<Place['env']>, name: string): string | undefined =>
  Object.entries(env).find(([own]) => own.toUpperCase() === name)?.[1];
