/** Makes the sandbox of one command from the permissions of its session and the state of the disk. */
import { type Owners, readOwner } from '../../io/files/owner';
import { inFolder } from '../../io/paths/relations';
import { parseObject } from '../../protocol/jsonrpc/json';
import type { Pausing } from '../../streams/pausing';
import { isWithin } from '../../streams/text/trim';
import { findProtected, ignoreRules } from './findProtected';
import { guardedBy, isNextToGit, mustStay, openRepositories } from './openedRepositories';
import { isUnmoved, NO_PROTECTED_PATHS, NO_ROOTS, type ProtectedPaths, type Roots } from './pinRoots';
import { type Hidden, type Link, type Network, type Sandbox, SandboxError, type Sparse } from './sandbox';
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
    for (const path of existing) {
      if (isPlaceholder(files, path)) places.add(path);
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

/** What placeholders and their markers need of the disk. */
export type MarkerFiles = Pick<
  SandboxFiles,
  'list' | 'kindOf' | 'readText' | 'readUnlinked' | 'makeFolder' | 'makeFile' | 'removeFolder' | 'removeFile'
>;

type ReserveDeps = {
  files: MarkerFiles;
  /** The name of this process among the processes that put markers into the same folder. */
  id: string;
  /** The owners of markers in a folder. Anybody may write a marker, so they have no sockets. */
  owners: (folder: string) => Pick<Owners, 'self' | 'stateOf'>;
  /** Receives each marker, and removes it with its folder when this process dies. */
  watch: (path: string) => () => void;
};

/** The paths at which a folder stands now. */
type Reserved = {
  reserved: readonly string[];
  /** Gives the paths up. */
  release: () => void;
};

const MARKER = /^codex-rx-sandbox-/;
/** A folder of a placeholder of `.git`. */
const INFO = 'info';

/** True for a placeholder: a folder that holds nothing but markers of processes that need it, and rules. */
export const isPlaceholder = ({ kindOf, list }: Pick<MarkerFiles, 'kindOf' | 'list'>, path: string): boolean => {
  const names = kindOf(path) === 'folder' ? list(path) : [];
  return names.length > 0 && names.every((name) => MARKER.test(name) || name === INFO);
};

/**
 * Keeps names free while a sandbox exists: a path that does not exist cannot be made read-only, so a folder is put there, with a marker of this process in
 * it. The folder is removed with its last marker, of whichever process; markers of processes that certainly ended are removed. A path at which nothing can
 * be made is left out: the command cannot make anything there either.
 */
export const reservePaths = (deps: ReserveDeps): ((paths: readonly string[]) => Reserved) => {
  const known = new Map<string, Place>();
  const take = (path: string): boolean => {
    const place = known.get(path) ?? openPlace(deps, path);
    if (place === undefined) return false;
    known.set(path, { ...place, holders: place.holders + 1 });
    return true;
  };
  const giveUp = (path: string): void => {
    const place = known.get(path);
    if (place === undefined) return;
    if (place.holders > 1) known.set(path, { ...place, holders: place.holders - 1 });
    else if (known.delete(path)) place.close();
  };
  return (paths) => {
    const reserved: string[] = [];
    const release = () => reserved.forEach(giveUp);
    try {
      for (const path of paths) if (take(path)) reserved.push(path);
    } catch (error) {
      release();
      throw error;
    }
    return { reserved, release };
  };
};

/** A folder with our marker in it, and how many sandboxes need it. */
type Place = { holders: number; close: () => void };

/** Another process may remove the folder before the marker is in it. */
const TRIES = 3;

/** Undefined if nothing can be made; a folder of another user will do. */
const openPlace = ({ files, id, owners, watch }: ReserveDeps, path: string): Place | undefined => {
  const { self, stateOf } = owners(path.slice(0, path.lastIndexOf('/')) || '/');
  const marker = inFolder(path, `codex-rx-sandbox-${id}`);
  for (let i = 0; i < TRIES; i++) {
    if (files.makeFolder(path) === 'refused') return undefined;
    if (files.makeFile(marker, JSON.stringify(self())) === 'failed') continue;
    sweep(files, path, stateOf);
    const takeOthers = openOthers({ files, watch }, path); // watched before the marker, as its folder is empty only without them
    const forget = isNextToGit(path) ? () => {} : watch(marker);
    const close = (): void => {
      takeOthers();
      files.removeFile(marker);
      if (!mustStay(files, path)) files.removeFolder(path); // fails while other processes need it
      forget();
    };
    return { holders: 0, close };
  }
  throw new SandboxError(`${path} is not there and cannot be kept from being made; make an empty folder there`);
};

/** Makes what belongs to a placeholder besides its marker; the function that it returns takes it away, unless other processes need it as well. */
const openOthers = ({ files, watch }: Pick<ReserveDeps, 'files' | 'watch'>, path: string): (() => void) => {
  const rules = ignoreRules(files, path);
  const made = guardedBy(path).filter(([file, text]) => files.makeFile(file, text) === 'there');
  if (rules !== undefined && files.makeFolder(inFolder(path, INFO)) === 'there') files.makeFile(excludeIn(path), rules);
  const forget = rules === undefined ? () => {} : watch(excludeIn(path));
  return () => {
    forget();
    if (files.list(path).filter((name) => MARKER.test(name)).length > 1) return;
    for (const [file, text] of made) if (files.readText(file) === text) files.removeFile(file);
    if (rules !== undefined) removeRules(files, path);
  };
};

/** Removes the rules of a placeholder that nobody needs any more. */
export const removeRules = (files: Pick<MarkerFiles, 'removeFile' | 'removeFolder'>, path: string): void => {
  files.removeFile(excludeIn(path));
  files.removeFolder(inFolder(path, INFO));
};

const excludeIn = (path: string): string => inFolder(inFolder(path, INFO), 'exclude');

/** Removes the markers of processes that certainly ended from a folder. */
export const sweep = (files: MarkerFiles, path: string, stateOf: Owners['stateOf']): void => {
  for (const name of files.list(path).filter((name) => MARKER.test(name))) {
    const marker = inFolder(path, name);
    const owner = readOwner(parseObject(files.readText(marker) ?? ''));
    const isEnded = owner.pid !== 0 && stateOf(owner) === 'ended'; // a marker may be there before its text
    if (isEnded) files.removeFile(marker);
  }
};
