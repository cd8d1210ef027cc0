/** Finds out what a session may write to, once, when it begins. */
import { isWithin } from '../../text';
import { isWithinAny } from './paths';
import type { SandboxFiles } from './sandboxFiles';

/**
 * What the user's settings allow. `cwd` is the session's folder, not one that the model chose for a command; `tmpdir` is TMPDIR
 * of its commands. Paths are absolute; those that are not there are left out.
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

const NO_ROOTS: Roots = { workspace: [], temporary: [] };

/**
 * Resolves the writable folders. The file system as a whole is never one: a daemon that was started in `/` has no workspace.
 * Source: Codex 0.28.0, CORE 7.5: cwd, `writable_roots`, `/tmp`, `$TMPDIR`; there the cwd was that of the call.
 */
export const pinRoots = (files: Pick<SandboxFiles, 'realpath'>, settings: SandboxSettings): Roots => {
  if (settings.mode === 'read-only') return NO_ROOTS;
  const resolved = (paths: readonly string[]): string[] => {
    const real = paths.flatMap((path) => files.realpath(path) ?? []);
    return [...new Set(real)].filter((path) => path !== '/' && !isWithinAny(SYSTEM, path));
  };
  const { cwd, writableRoots, tmpdir } = settings;
  const workspace = resolved([cwd, ...writableRoots]);
  const temporary = resolved([
    ...(settings.excludeSlashTmp ? [] : ['/tmp']),
    ...(settings.excludeTmpdirEnvVar || !tmpdir?.startsWith('/') ? [] : [tmpdir]),
  ]);
  return { workspace, temporary: temporary.filter((path) => !workspace.some((root) => isWithin(root, path))) };
};
