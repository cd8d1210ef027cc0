/** Finds what stays read-only inside the writable folders, as git, Codex and this program would run or obey it; and the rules of a placeholder of git. */
import { dirname } from 'node:path';
import { foldersUp, inFolder, isWithinAny } from '../../io/paths/relations';
import type { Pausing } from '../../streams/pausing';
import { fitsGlob, toGlob } from '../../streams/text/glob';
import { gitdirOf, isWithin, pathIn } from '../../streams/text/trim';
import type { Roots } from './pinRoots';
import { SandboxError } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';
import { submodulesAround } from './submodules';

/** Paths that a command may not change. */
export type Protected = {
  /** Paths without links. */
  existing: readonly string[];
  /** Paths that may not be created. */
  missing: readonly string[];
};

/** The access to files that finding protected paths needs. */
export type ProtectedFiles = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'readText' | 'list'>;

const NAMES = ['.git', '.codex'];

/**
 * `.git` and `.codex` of each writable folder, with what they point to, the `.git` of submodules, and `own`: folders of this program.
 * Throws SandboxError if one is reached by a link that the command could replace.
 * If there are many submodules, the folders around them are protected.
 * Other nested repositories are not searched: a later git there runs commands that a command wrote, as with a Makefile.
 * @param own absolute paths, with links or without
 */
export function* findProtected(
  files: ProtectedFiles & Pick<SandboxFiles, 'readPieces'>,
  roots: Roots,
  own: readonly string[],
): Pausing<Protected> {
  const { workspace, temporary } = roots;
  const writable = [...workspace, ...temporary];
  const inWorkspace = namesIn(workspace);
  const inTemporary = namesIn(temporary).filter((path) => isThere(files, path)); // nobody's project is there
  const folders = yield* submodulesAround(files, workspace);
  for (const path of [...inWorkspace, ...own, ...folders]) {
    refuseLinks(files, writable, path);
    yield;
  }
  const submodules = folders.map((folder) => obeyedIn(files, folder));
  const found = [...inWorkspace, ...inTemporary, ...submodules, ...own].filter((path) => isThere(files, path));
  const closed = closedAround(files, workspace, folders);
  const existing: string[] = [...closed].flatMap((path) => files.realpath(path) ?? []);
  for (const path of found) {
    existing.push(...closedBy(files, roots, path).flatMap((one) => files.realpath(one) ?? []));
    yield;
  }
  const missing = [...inWorkspace, ...submodules, ...own].filter(
    (path) => isWithinAny(writable, path) && !isThere(files, path) && !closed.has(dirname(path)),
  );
  const writableOf = (paths: readonly string[]) => [...new Set(paths)].filter((path) => isWithinAny(writable, path));
  const made = writableOf(missing.map((path) => firstMissing(files, path)));
  return { existing: writableOf(existing), missing: notTooMany(made) };
}

/** A path, and what it points to. Throws SandboxError for what cannot be protected. */
const closedBy = (files: ProtectedFiles, roots: Roots, path: string): string[] => {
  const { workspace, temporary } = roots;
  const isOfAnybody = namesIn(temporary).includes(path) && !namesIn(workspace).includes(path);
  if (isOfAnybody) return [path, ...inside(files, roots, path)];
  const targets = pointedTo(files, path);
  for (const target of targets) refuseUnclear(files, [...workspace, ...temporary], target);
  return [path, ...targets];
};

/**
 * What a `.git` in a temporary folder points to there. Another user, or a command of another thread, may have put it there: it closes no workspace, and
 * no temporary folder as a whole.
 */
const inside = (files: ProtectedFiles, { workspace, temporary }: Roots, path: string): string[] =>
  pointedTo(files, path).filter((target) => {
    const real = files.realpath(target);
    if (real === undefined || target.includes(UNCLEAR)) return false;
    const holds = (root: string) => isWithin(real, root);
    return isWithinAny(temporary, real) && !isWithinAny(workspace, real) && ![...workspace, ...temporary].some(holds);
  });

/** What stands for bytes that are not UTF-8. */
const UNCLEAR = '\ufffd';

/** A folder is made for each, and bubblewrap takes 9,000 arguments in all. */
const MOST_MISSING = 3_000;

const notTooMany = (missing: readonly string[]): readonly string[] => {
  if (missing.length <= MOST_MISSING) return missing;
  throw new SandboxError(
    `${missing.length} folders that git obeys are not there, such as ${missing.at(-1)}, more than can be kept from being made; make them by git checkout`,
  );
};

/** Throws SandboxError for a path in a writable folder that is not UTF-8: nothing there could be protected. */
const refuseUnclear = (files: ProtectedFiles, writable: readonly string[], path: string): void => {
  const at = path.indexOf(UNCLEAR);
  const above = at < 0 ? undefined : files.realpath(path.slice(0, path.lastIndexOf('/', at)) || '/');
  if (above === undefined || !(isWithinAny(writable, above) || path.includes('/../', at))) return;
  throw new SandboxError(`${path}, which git uses here, is not UTF-8 and cannot be protected; rename it`);
};

/** `.git` and `.codex` of each folder. */
export const namesIn = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) => NAMES.map((name) => inFolder(folder, name)));

/** Each takes two mounts, whose cost grows with their square: 400 take half a second. */
const MOST_SUBMODULES = 200;

/** The folders around many submodules, which stay read-only as a whole; a submodule by itself if a command must write around it. */
const closedAround = (
  files: ProtectedFiles,
  workspace: readonly string[],
  submodules: readonly string[],
): ReadonlySet<string> => {
  if (submodules.length <= MOST_SUBMODULES) return new Set();
  const isRoot = (folder: string) => workspace.some((root) => isWithin(folder, root));
  const closed = submodules.map((path) => (isRoot(dirname(path)) ? path : dirname(path)));
  return new Set(closed.filter((path) => !isRoot(path) && isThere(files, path)));
};

/** A submodule that is not checked out stays as it is: git dies of a placeholder in it. */
const obeyedIn = (files: ProtectedFiles, submodule: string): string => {
  const git = inFolder(submodule, '.git');
  return isThere(files, git) ? git : submodule;
};

const isThere = ({ kindOf }: ProtectedFiles, path: string): boolean => ['file', 'folder'].includes(kindOf(path) ?? '');

/** A path that does not exist, or the first folder on its way that does not. */
const firstMissing = (files: Pick<ProtectedFiles, 'kindOf'>, path: string): string => {
  const parent = path.slice(0, path.lastIndexOf('/'));
  return parent === '' || files.kindOf(parent) !== undefined ? path : firstMissing(files, parent);
};

/** A link cannot be a mount point, so the command could replace it by a folder of its own. */
export const refuseLinks = ({ kindOf }: ProtectedFiles, writable: readonly string[], path: string): void => {
  const link = foldersUp(path).findLast(
    (at) => isWithinAny(writable, at) && ['link', 'other'].includes(kindOf(at) ?? ''),
  );
  if (link !== undefined) {
    throw new SandboxError(`${link} is a link, which a sandbox cannot keep from being replaced; put a folder there`);
  }
};

/** What a gitfile names, what links in a folder lead to, and its `commondir`. Other files are not read. Source: gitrepository-layout(5). */
export const pointedTo = (files: ProtectedFiles, path: string): string[] => {
  if (files.kindOf(path) === 'folder') {
    const entries = files.list(path).map((name) => inFolder(path, name));
    return [...entries.filter((entry) => files.kindOf(entry) === 'link'), ...sharedBy(files, path)];
  }
  const at = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, at), path.slice(at + 1)];
  const named = name === '.git' ? gitdirOf(files.readText(path)) : undefined;
  if (named === undefined) return [];
  const gitDir = absolute(folder, named);
  return [gitDir, ...sharedBy(files, gitDir)];
};

/** The git directory that this one shares with others. */
const sharedBy = (files: ProtectedFiles, gitDir: string): string[] => {
  const common = pathIn(files.readText(inFolder(gitDir, 'commondir')) ?? '');
  return common ? [absolute(gitDir, common)] : [];
};

const absolute = (folder: string, path: string): string => (path.startsWith('/') ? path : inFolder(folder, path));

type Files = Pick<SandboxFiles, 'kindOf' | 'readUnlinked'>;

/** The rules of the repository around for a placeholder of `.git`, as rules of its folder; undefined if there is no repository, or for another path. */
export const ignoreRules = (files: Files, path: string): string | undefined => {
  if (!path.endsWith('/.git')) return undefined;
  const [folder = '/', ...above] = foldersUp(path.slice(0, -'/.git'.length) || '/');
  const top = above.findIndex((at) => isTop(files, at));
  if (top < 0) return undefined;
  const around = above.slice(0, top + 1).reverse();
  const exclude = ['.git', '.git/info'].every((name) => files.kindOf(inFolder(around[0] ?? '/', name)) === 'folder');
  const names = [...(exclude ? ['.git/info/exclude'] : []), ...around.map(() => '.gitignore')];
  const lines = [...(exclude ? around.slice(0, 1) : []), ...around].flatMap((at, i) => {
    const way = folder.slice(at === '/' ? 1 : at.length + 1).split('/');
    return (files.readUnlinked(inFolder(at, names[i] as string)) ?? '')
      .split(/\r?\n/)
      .slice(0, MAX_RULES)
      .flatMap((line) => below(line, way));
  });
  return lines.map((line) => `${line}\n`).join('');
};

const isTop = ({ kindOf }: Files, folder: string): boolean => {
  const git = inFolder(folder, '.git');
  return kindOf(git) === 'file' || kindOf(inFolder(git, 'HEAD')) !== undefined;
};

/** Longer lines, and more of them, are left out: a repository that nobody vouches for must not hold up a command. */
const MAX_PATTERN = 256;
const MAX_RULES = 1_000;

/** A rule of a folder as a rule of the folder to which a way leads; none if it says nothing about that one. Source: gitignore(5). */
const below = (line: string, way: readonly string[]): string[] => {
  const rule = line.length > MAX_PATTERN || line.startsWith('#') ? '' : line.replace(/(?<!\\) +$/, '');
  const not = rule.startsWith('!') ? '!' : '';
  const pattern = rule.slice(not.length);
  if (pattern === '' || !/\/./.test(pattern)) return pattern === '' ? [] : [rule]; // a name, at any depth
  const parts = pattern.replace(/^\//, '').split('/');
  if (parts[0] === '**') return [rule];
  const rest = parts.slice(way.length).join('/');
  const isOnWay = fitsGlob(toGlob(parts.slice(0, way.length).join('/')), way.join('/'));
  return isOnWay && rest !== '' ? [`${not}/${rest}`] : [];
};
