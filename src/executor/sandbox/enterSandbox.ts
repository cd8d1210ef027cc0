/** Makes the sandbox of one command from what its session may do and what is on the disk now. */
import { isWithin } from '../../streams/text/trim';
import { inFolder } from './paths';
import type { Roots } from './pinRoots';
import { type Protected, protectedPaths } from './protectedPaths';
import { isPlaceholder, type ReserveDeps, reservePaths } from './reservePaths';
import { type Hidden, type Link, type Network, type Sandbox, SandboxError, type Sparse } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

/**
 * @param own folders of this program, never writable; @param secrets what nobody in a sandbox may read; @param sparse folders in which
 * secrets may be created. Absolute paths.
 */
export type EnterDeps = Omit<ReserveDeps, 'files'> & {
  files: SandboxFiles;
  own: readonly string[];
  secrets: readonly string[];
  sparse: () => readonly string[];
};

/** The sandbox of one command; `release` when it is over. */
export type Entered = { sandbox: Sandbox; release: () => void };

/** `readOnly` is taken out of what may be written, `denied` out of what may be read; they need not exist. Absolute paths. */
export type Carved = { readOnly: readonly string[]; denied: readonly string[] };

const NOT_CARVED: Carved = { readOnly: [], denied: [] };
const NO_ROOTS: Roots = { workspace: [], temporary: [] };

/**
 * The sandbox as of now. Throws SandboxError where it could not be enforced: a root that was moved, or replaced by a link
 * since the session began, or a `.git` that is a link.
 */
export const enterSandbox = (deps: EnterDeps): ((roots: Roots, network: Network, carved?: Carved) => Entered) => {
  const { files, secrets } = deps;
  const reserve = reservePaths(deps);
  return (roots, network, { readOnly, denied } = NOT_CARVED) => {
    const { existing, missing } = checkSandbox({ files, own: [...deps.own, ...readOnly, ...denied] })(roots);
    const { reserved, release } = reserve(missing);
    const { workspace, temporary } = present(files, roots);
    const writable = [...workspace, ...temporary];
    const hidden = [...hiddenPaths(files, secrets, roots), ...hiddenPaths(files, denied, NO_ROOTS)];
    const sparse = sparseFolders(files, deps.sparse());
    return { sandbox: { writable, readOnly: existing, empty: reserved, hidden, sparse, network }, release };
  };
};

/** Finds what must be protected, and throws like `enterSandbox`, without making anything. */
export const checkSandbox =
  ({ files, own }: Pick<EnterDeps, 'files' | 'own'>) =>
  (roots: Roots): Protected => {
    for (const root of [...roots.workspace, ...roots.temporary]) refuseMoved(files, root);
    const { existing, missing } = protectedPaths(files, present(files, roots), own);
    const places = existing.filter((path) => isPlaceholder(files, path));
    return { existing: existing.filter((path) => !places.includes(path)), missing: [...missing, ...places] };
  };

/** Roots that are gone are left out. */
const present = ({ kindOf }: SandboxFiles, { workspace, temporary }: Roots): Roots => {
  const isThere = (path: string) => kindOf(path) !== undefined;
  return { workspace: workspace.filter(isThere), temporary: temporary.filter(isThere) };
};

/** A root that leads elsewhere would make that place writable. */
const refuseMoved = ({ realpath, kindOf }: SandboxFiles, root: string): void => {
  const now = realpath(root);
  if (now === root || (now === undefined && kindOf(root) === undefined)) return;
  throw new SandboxError(`${root} has become a link since the session began; begin a new session in the right folder`);
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

/** Finds what a sandbox shows of folders in which secrets are created: programs write a new file beside the secret, and rename it. */
type Files = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'list'>;

/**
 * Shows folders, and `.md` files, which people and models read; any other file may be a login, or become one. Links are shown as links
 * where they lead to one of these. @param folders absolute paths, with links or without
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
