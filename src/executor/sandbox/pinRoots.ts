/** Finds out what a session may write to, once, when it begins. */
import { foldersUp, isWithinAny } from '../../io/paths/relations';
import type { WorkspaceWrite } from '../../protocol/codex/turnSettings';
import { isWithin } from '../../streams/text/trim';
import { type ClosedDeps, closedPlaceOf, isInGit, refuseClosed, whyClosed } from './closedPlaces';
import { SandboxError } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

/**
 * What the user's settings allow. Paths are absolute. Paths that do not exist are left out, and temporary folders in which this user cannot create anything:
 * TMPDIR may belong to another user, or be no folder for temporary files. `cwd` and the roots have no links: these were resolved when the call was checked.
 */
export type SandboxSettings = WorkspaceWrite & {
  mode: 'read-only' | 'workspace-write';
  /** The session's folder, not a folder that the model chose for a command. */
  cwd: string;
  /** TMPDIR of its commands. */
  tmpdir: string | undefined;
  /** The user protects these paths, also inside the writable folders. Default: none. */
  protectedPaths?: ProtectedPaths;
};

/** Paths that stay protected inside the writable folders too. Absolute; they need not exist. */
export type ProtectedPaths = {
  /** Paths that may not be written. */
  readOnly: readonly string[];
  /** Paths that may not be read either. */
  denied: readonly string[];
};

/** The user protects no path. */
export const NO_PROTECTED_PATHS: ProtectedPaths = { readOnly: [], denied: [] };

/** Writable folders as they were when the session began, without links. */
export type Roots = {
  workspace: readonly string[];
  /** These folders hold no project. */
  temporary: readonly string[];
  /** Folders in git directories that the operator names. Default: none. */
  repositories?: readonly string[];
};

/** A root that contains these folders would let a command replace what makes its sandbox. */
const PROGRAMS = ['/usr/bin', '/usr/lib'];

/** Nothing may be written. */
export const NO_ROOTS: Roots = { workspace: [], temporary: [] };

/** What deciding about folders needs. */
export type PinDeps = ClosedDeps & {
  files: Pick<SandboxFiles, 'realpath' | 'kindOf' | 'takesFiles' | 'temporaryFor'>;
  /** Places of secrets; they need not exist. */
  secrets: () => readonly string[];
  /** The homes of this user, links resolved. */
  homes: readonly string[];
};

/**
 * Whether TMPDIR is a folder for temporary files: a project's environment may have set it to anything. Either all users share it, as they do `/tmp`, or
 * it is closed to others, lies in no home, where programs are started from many folders, and neither holds the workspace or a place of secrets
 * nor lies in one.
 */
export const isTemporary = (
  { files, secrets, homes }: PinDeps,
  tmpdir: string,
  workspace: readonly string[],
): boolean => {
  const path = files.realpath(tmpdir) ?? tmpdir;
  const kind = files.temporaryFor(path);
  if (kind !== 'self') return kind === 'all';
  const holds = (place: string) => isWithin(path, place);
  return (
    ![...workspace, ...homes].some(holds) &&
    !homes.some((home) => isWithin(home, path)) &&
    !secrets().some((place) => holds(place) || isWithin(place, path))
  );
};

/**
 * The writable folders. The file system as a whole is never one, nor a folder with programs of the system: a daemon that was started
 * in `/` or `/usr` has no workspace. Further roots in a closed place are left out. Throws SandboxError if the folder of the
 * session is in one, or one of them has become a link.
 * Source: Codex 0.28.0, CORE 7.5: cwd, `writable_roots`, `/tmp`, `$TMPDIR`; there the cwd was the folder of the call.
 */
export const pinRoots = (deps: PinDeps, settings: SandboxSettings): Roots => {
  if (settings.mode === 'read-only') return NO_ROOTS;
  const { files } = deps;
  const { cwd, writableRoots, tmpdir } = settings;
  refuseClosed(deps, cwd);
  const workspace = [...new Set([cwd, ...writableRoots])].filter(
    (path) => isUnmoved(files, path) && mayBeRoot(deps, path),
  );
  const isInWorkspace = (path: string) => isWithinAny(workspace, path);
  const temporary = [
    ...(settings.excludeSlashTmp ? [] : ['/tmp']),
    ...(settings.excludeTmpdirEnvVar || !tmpdir?.startsWith('/') || !isTemporary(deps, tmpdir, workspace)
      ? []
      : [tmpdir]),
  ]
    .filter((path) => !foldersUp(path).some((folder) => isInWorkspace(files.realpath(folder) ?? folder))) // it may be a link that a command made
    .flatMap((path) => files.realpath(path) ?? [])
    .filter((path) => mayBeRoot(deps, path) && files.takesFiles(path));
  const repositories = (settings.ownRoots ?? []).filter((path) => isUnmoved(files, path) && isInGit(deps, path));
  return { workspace, temporary: [...new Set(temporary)], ...(repositories.length > 0 && { repositories }) };
};

/** What the settings name and no command may write, each in a sentence with the remedy: it would be missed without a word. */
export const leftOut = (deps: PinDeps, settings: SandboxSettings, roots: Roots): string[] => {
  if (settings.mode === 'read-only') return [];
  const { excludeTmpdirEnvVar, tmpdir, writableRoots, devices = [] } = settings;
  const missing = devices
    .filter((path) => deviceAt(deps.files, path) === undefined)
    .map(
      (path) =>
        `The device ${path} is left out: it is not there, or not in /dev; name a device, or a folder of devices`,
    );
  const closed = writableRoots.flatMap((root) => {
    const isOpened = roots.repositories?.includes(root) || deps.files.realpath(root) === undefined;
    const place = isOpened ? undefined : closedPlaceOf(deps, root);
    return place === undefined ? [] : [`The writable root ${root} is left out: it ${whyClosed(deps, place, root)}`];
  });
  const real = excludeTmpdirEnvVar || tmpdir === undefined ? undefined : deps.files.realpath(tmpdir);
  const isLost = real !== undefined && !isWithinAny([...roots.workspace, ...roots.temporary], real);
  return [...missing, ...closed, ...(isLost ? [notTemporary(real)] : [])];
};

/** Where a device, or a folder of devices, is without links; undefined if there is none. */
export const deviceAt = (
  { realpath, kindOf }: Pick<SandboxFiles, 'realpath' | 'kindOf'>,
  path: string,
): string | undefined => {
  const real = path.startsWith('/') ? realpath(path) : undefined;
  return real?.startsWith('/dev/') && ['other', 'folder'].includes(kindOf(real) ?? '') ? real : undefined;
};

const notTemporary = (tmpdir: string): string =>
  `No command may write in TMPDIR (${tmpdir}): it is open to others, in a home, or closed to this user; set it to another folder, or name it in sandbox_workspace_write.writable_roots`;

/**
 * False if nothing is there. Throws SandboxError if a root leads elsewhere than when the session began, which would make that place writable.
 * @param root a path that had no links then
 */
export const isUnmoved = ({ realpath, kindOf }: Pick<SandboxFiles, 'realpath' | 'kindOf'>, root: string): boolean => {
  const now = realpath(root);
  if (now === root) return true;
  if (now === undefined && kindOf(root) === undefined) return false;
  throw new SandboxError(`${root} has become a link since the session began; begin a new session in the right folder`);
};

const mayBeRoot = (deps: ClosedDeps, path: string): boolean =>
  !PROGRAMS.some((folder) => isWithin(path, folder)) && closedPlaceOf(deps, path) === undefined;
