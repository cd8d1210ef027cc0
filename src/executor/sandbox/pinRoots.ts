/** Finds out what a session may write to, once, when it begins. */
import { isWithin } from '../../streams/text/trim';
import { type ClosedDeps, closedPlaceOf, refuseClosed } from './closedPlaces';
import type { SandboxFiles } from './sandboxFiles';

/**
 * What the user's settings allow. Paths are absolute. Paths that do not exist are left out, and temporary folders in which this user cannot create anything:
 * TMPDIR may belong to another user.
 */
export type SandboxSettings = {
  mode: 'read-only' | 'workspace-write';
  /** The session's folder, not a folder that the model chose for a command. */
  cwd: string;
  writableRoots: readonly string[];
  networkAccess: boolean;
  excludeTmpdirEnvVar: boolean;
  excludeSlashTmp: boolean;
  /** TMPDIR of its commands. */
  tmpdir: string | undefined;
};

/** Writable folders as they were when the session began, links resolved. */
export type Roots = {
  workspace: readonly string[];
  /** These folders hold no project. */
  temporary: readonly string[];
};

/** A root that contains these folders would let a command replace what makes its sandbox. */
const PROGRAMS = ['/usr/bin', '/usr/lib'];

const NO_ROOTS: Roots = { workspace: [], temporary: [] };

type PinDeps = ClosedDeps & { files: Pick<SandboxFiles, 'takesFiles'> };

/**
 * Resolves the writable folders. The file system as a whole is never one, nor a folder with programs of the system: a daemon that was started
 * in `/` or `/usr` has no workspace. Further roots in a closed place are left out. Throws SandboxError if the folder of the session is in one.
 * Source: Codex 0.28.0, CORE 7.5: cwd, `writable_roots`, `/tmp`, `$TMPDIR`; there the cwd was the folder of the call.
 */
export const pinRoots = (deps: PinDeps, settings: SandboxSettings): Roots => {
  if (settings.mode === 'read-only') return NO_ROOTS;
  const { files } = deps;
  const { cwd, writableRoots, tmpdir } = settings;
  refuseClosed(deps, cwd);
  const resolved = (paths: readonly string[]): string[] => {
    const real = paths.flatMap((path) => files.realpath(path) ?? []);
    return [...new Set(real)].filter((path) => mayBeRoot(deps, path));
  };
  const workspace = resolved([cwd, ...writableRoots]);
  const temporary = resolved([
    ...(settings.excludeSlashTmp ? [] : ['/tmp']),
    ...(settings.excludeTmpdirEnvVar || !tmpdir?.startsWith('/') ? [] : [tmpdir]),
  ]).filter(files.takesFiles);
  return { workspace, temporary: temporary.filter((path) => !workspace.some((root) => isWithin(root, path))) };
};

const mayBeRoot = (deps: ClosedDeps, path: string): boolean =>
  !PROGRAMS.some((folder) => isWithin(path, folder)) && closedPlaceOf(deps, path) === undefined;
