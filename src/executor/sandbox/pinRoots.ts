/** Finds out what a session may write to, once, when it begins. */
import { isWithin } from '../../streams/text/trim';
import { isWithinAny } from './paths';
import type { SandboxFiles } from './sandboxFiles';

/**
 * What the user's settings allow. Paths are absolute. Paths that do not exist are left out, and temporary folders in which this user cannot create anything:
 * TMPDIR may belong to another user, or be no folder for temporary files.
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

/** Folders that a sandbox replaces by its own. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/** Folders of the programs and libraries of the system, including the programs that make sandboxes. */
const PROGRAMS = ['/usr/bin', '/usr/lib'];

const mayBeRoot = (path: string): boolean =>
  !isWithinAny(SYSTEM, path) && !PROGRAMS.some((folder) => isWithin(path, folder));

const NO_ROOTS: Roots = { workspace: [], temporary: [] };

/** What deciding about folders needs. */
export type PinDeps = {
  files: Pick<SandboxFiles, 'realpath' | 'takesFiles' | 'temporaryFor'>;
  /** Places of secrets; they need not exist. */
  secrets: () => readonly string[];
};

/**
 * Whether TMPDIR is a folder for temporary files: a project's environment may have set it to anything. Either all users share it, as they do `/tmp`, or
 * it is closed to others, and neither holds the workspace or a place of secrets, as a home does, nor lies in one.
 */
export const isTemporary = ({ files, secrets }: PinDeps, tmpdir: string, workspace: readonly string[]): boolean => {
  const path = files.realpath(tmpdir) ?? tmpdir;
  const kind = files.temporaryFor(path);
  if (kind !== 'self') return kind === 'all';
  const holds = (place: string) => isWithin(path, place);
  return !workspace.some(holds) && !secrets().some((place) => holds(place) || isWithin(place, path));
};

/**
 * Resolves the writable folders. The file system as a whole is never one, nor a folder with programs of the system: a daemon that was started
 * in `/` or `/usr` has no workspace. Under root a command could otherwise replace what makes its sandbox.
 * Source: Codex 0.28.0, CORE 7.5: cwd, `writable_roots`, `/tmp`, `$TMPDIR`; there the cwd was the folder of the call.
 */
export const pinRoots = (deps: PinDeps, settings: SandboxSettings): Roots => {
  const { files } = deps;
  if (settings.mode === 'read-only') return NO_ROOTS;
  const resolved = (paths: readonly string[]): string[] => {
    const real = paths.flatMap((path) => files.realpath(path) ?? []);
    return [...new Set(real)].filter(mayBeRoot);
  };
  const { cwd, writableRoots, tmpdir } = settings;
  const workspace = resolved([cwd, ...writableRoots]);
  const temporary = resolved([
    ...(settings.excludeSlashTmp ? [] : ['/tmp']),
    ...(settings.excludeTmpdirEnvVar || !tmpdir?.startsWith('/') || !isTemporary(deps, tmpdir, workspace)
      ? []
      : [tmpdir]),
  ]).filter(files.takesFiles);
  return { workspace, temporary: temporary.filter((path) => !workspace.some((root) => isWithin(root, path))) };
};
