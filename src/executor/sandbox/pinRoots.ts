/** Finds out what a session may write to, once, when it begins. */
import { isWithin } from '../../streams/text/trim';
import { isWithinAny } from './paths';
import type { SandboxFiles } from './sandboxFiles';

/**
 * What the user's settings allow. `cwd` is the session's folder, not one that the model chose for a command; `tmpdir` is TMPDIR
 * of its commands. Paths are absolute; those that are not there are left out, and temporary ones in which this user can make nothing: TMPDIR may
 * be that of another user.
 */
export type SandboxSettings = {
  mode: 'read-only' | 'workspace-write';
  cwd: string;
  writableRoots: readonly string[];
  networkAccess: boolean;
  excludeTmpdirEnvVar: boolean;
  excludeSlashTmp: boolean;
  tmpdir: string | undefined;
};

/** Writable folders as they were when the session began, links resolved. `temporary` ones hold no project. */
export type Roots = { workspace: readonly string[]; temporary: readonly string[] };

/** Folders that a sandbox replaces by its own. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/** Where the programs and libraries of the system are, those that make sandboxes among them. */
const PROGRAMS = ['/usr/bin', '/usr/lib'];

const mayBeRoot = (path: string): boolean =>
  !isWithinAny(SYSTEM, path) && !PROGRAMS.some((folder) => isWithin(path, folder));

const NO_ROOTS: Roots = { workspace: [], temporary: [] };

/**
 * Resolves the writable folders. The file system as a whole is never one, nor a folder that holds the programs of the system: a daemon that was started
 * in `/` or `/usr` has no workspace. Under root a command could otherwise replace what makes its sandbox.
 * Source: Codex 0.28.0, CORE 7.5: cwd, `writable_roots`, `/tmp`, `$TMPDIR`; there the cwd was that of the call.
 */
export const pinRoots = (files: Pick<SandboxFiles, 'realpath' | 'takesFiles'>, settings: SandboxSettings): Roots => {
  if (settings.mode === 'read-only') return NO_ROOTS;
  const resolved = (paths: readonly string[]): string[] => {
    const real = paths.flatMap((path) => files.realpath(path) ?? []);
    return [...new Set(real)].filter(mayBeRoot);
  };
  const { cwd, writableRoots, tmpdir } = settings;
  const workspace = resolved([cwd, ...writableRoots]);
  const temporary = resolved([
    ...(settings.excludeSlashTmp ? [] : ['/tmp']),
    ...(settings.excludeTmpdirEnvVar || !tmpdir?.startsWith('/') ? [] : [tmpdir]),
  ]).filter(files.takesFiles);
  return { workspace, temporary: temporary.filter((path) => !workspace.some((root) => isWithin(root, path))) };
};
