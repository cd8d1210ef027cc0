/** Makes the sandbox of one command from the permissions of its session and the state of the disk. */
import { inFolder } from '../../io/paths/relations';
import type { Pausing } from '../../streams/pausing';
import { isWithin } from '../../streams/text/trim';
import { findProtected, namesIn } from './findProtected';
import { guardedBy, openRepositories } from './openedRepositories';
import { isUnmoved, NO_PROTECTED_PATHS, NO_ROOTS, type ProtectedPaths, type Roots } from './pinRoots';
import { INFO, isEmptyFolder, isPlaceholder, type ReserveDeps, reservePaths } from './placeholders';
import type { Hidden, Link, Network, Sandbox, Sparse } from './sandbox';
import { readOnce, type SandboxFiles } from './sandboxFiles';

/** What no sandbox opens. Absolute paths. */
export type EnterDeps = Omit<ReserveDeps, 'files'> & {
  files: SandboxFiles;
  /** Folders of this program, never writable. */
  own: readonly string[];
  /** Files that nobody in a sandbox may read. */
  secrets: () => readonly string[];
  /** Folders in which secrets may be created. */
  sparse: () => readonly string[];
};

/** The sandbox of one command. */
export type Entered = {
  sandbox: Sandbox;
  /** Called when the command has ended. */
  release: () => void;
  /** Called at its first output, as its mounts stand then, and when it has ended: removes what they left on the disk. */
  tidy?: () => void;
};

/** The sandbox as of now. Throws SandboxError if it could not be enforced: a root that was moved or became a link, or a `.git` that is a link. */
export const enterSandbox = (
  deps: EnterDeps,
): ((roots: Roots, network: Network, protectedPaths?: ProtectedPaths) => Pausing<Entered>) => {
  const { files, secrets } = deps;
  const reserve = reservePaths(deps);
  return function* (roots, network, protectedPaths = NO_PROTECTED_PATHS) {
    const { existing, missing, writable: opened } = yield* checkSandbox(deps)(roots, protectedPaths);
    const { reserved, release } = reserve(missing);
    const { workspace, temporary } = present(files, roots);
    const writable = [...workspace, ...temporary, ...opened];
    const guarded = reserved.flatMap(guardedBy).map(([path]) => path);
    const ruled = reserved.filter((path) => files.kindOf(inFolder(path, INFO)) === 'folder');
    const empty = reserved.filter((path) => !ruled.includes(path));
    const hidden = [...hiddenPaths(files, secrets(), roots), ...hiddenPaths(files, protectedPaths.denied, NO_ROOTS)];
    const sparse = [
      ...sparseFolders(files, deps.sparse()),
      ...ruled.map((path): Sparse => ({ path, shown: [inFolder(path, INFO)], links: [] })),
    ];
    return {
      sandbox: { writable, readOnly: [...existing, ...guarded], empty, hidden, sparse, network },
      release,
    };
  };
};

/** Finds what must be protected, and throws like `enterSandbox`, without making anything. */
export const checkSandbox = ({ files: disk, own }: Pick<EnterDeps, 'files' | 'own'>) =>
  function* (roots: Roots, paths = NO_PROTECTED_PATHS): Pausing<ReturnType<typeof openRepositories>> {
    const files = readOnce(disk);
    const all = [...own, ...paths.readOnly, ...paths.denied];
    const there = present(files, roots);
    const temporary = [...there.temporary, ...there.repositories]; // these hold no project either
    const found = yield* findProtected(files, { ...there, temporary }, all);
    const kept = all.flatMap((path) => files.realpath(path) ?? []);
    const { existing, missing, writable } = openRepositories(files, there, { ...found, kept });
    const places = new Set<string>();
    const held = new Set([...namesIn([...there.workspace, ...temporary]), ...own]); // no other empty folder is a placeholder
    const holdsMissing = (path: string) => missing.some((one) => isWithin(path, one));
    for (const path of existing) {
      const isUnmarked = held.has(path) && isEmptyFolder(files, path) && !holdsMissing(path);
      if (isUnmarked || isPlaceholder(files, path)) places.add(path);
      yield;
    }
    return { existing: existing.filter((path) => !places.has(path)), missing: [...missing, ...places], writable };
  };

/** Roots that no longer exist are left out. Throws SandboxError if one has become a link. */
const present = (files: SandboxFiles, { workspace, temporary, repositories = [] }: Roots): Required<Roots> => {
  const there = (paths: readonly string[]) => paths.filter((path) => isUnmoved(files, path));
  return { workspace: there(workspace), temporary: there(temporary), repositories: there(repositories) };
};

/** A secret place that the user chose as a workspace is not hidden. */
const hiddenPaths = (
  { realpath, kindOf }: SandboxFiles,
  secrets: readonly string[],
  { workspace }: Roots,
): Hidden[] => {
  const there = [...new Set(secrets.flatMap((path) => realpath(path) ?? []))];
  return there
    .filter((path) => !workspace.some((root) => isWithin(path, root)))
    .map((path): Hidden => ({ path, kind: kindOf(path) === 'folder' ? 'folder' : 'file' }));
};

type Files = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'list'>;

/**
 * What a sandbox shows of folders in which secrets are created: programs write a new file next to the secret, and rename it. Folders are shown, and `.md`
 * files, which people and models read; any other file may be a login, or become one. Links are shown as links if they lead to a visible entry.
 * @param folders absolute paths, with links or without
 */
export const sparseFolders = (files: Files, folders: readonly string[]): Sparse[] =>
  folders
    .flatMap((path) => files.realpath(path) ?? [])
    .filter((path) => files.kindOf(path) === 'folder')
    .map((path) => {
      const entries = files.list(path).map((name) => inFolder(path, name));
      return {
        path,
        shown: entries.filter((entry) => isShown(files, entry)),
        links: entries.flatMap((entry) => toLink(files, entry)),
      };
    });

const isShown = ({ kindOf }: Files, path: string): boolean => {
  const kind = kindOf(path);
  return kind === 'folder' || (kind === 'file' && path.endsWith('.md'));
};

const toLink = (files: Files, path: string): Link[] => {
  const target = files.kindOf(path) === 'link' ? files.realpath(path) : undefined;
  return target !== undefined && isShown(files, target) ? [{ path, target }] : [];
};
