/** Makes the folders of private files. */
import { join, relative, sep } from 'node:path';
import { FileError, failedWith, toFileError } from './fileError';
import type { FileDeps } from './fileSystem';
import { checkPlaceOfRoot } from './placeOfRoot';

const FOLDER_MODE = 0o700;

/** Makes a folder below the root (0700), and those above it. An existing one keeps its mode. Throws FileError, also for links. */
export const makeFolder = (deps: FileDeps, path: string): void => {
  const { fs, root } = deps;
  checkPlaceOfRoot({ fs }, path);
  try {
    fs.mkdirSync(root, { recursive: true, mode: FOLDER_MODE });
    for (const folder of foldersTo(root, path)) makeOne(deps, folder);
  } catch (error) {
    throw toFileError(path, 'cannot be made', error);
  }
};

/** Throws FileError if a folder between the root and a file is a link, or no folder. Missing folders are fine. */
export const checkFolders = (deps: FileDeps, path: string): void => {
  for (const folder of foldersTo(deps.root, path)) if (!isPlain(deps, folder)) return;
};

/** The folders from below the root down to `path`. */
const foldersTo = (root: string, path: string): string[] => {
  const way = relative(root, path);
  if (way === '') return [];
  const names = way.split(sep);
  if (names[0] === '..') throw new FileError(`${path} is not in ${root}`);
  return names.map((_, at) => join(root, ...names.slice(0, at + 1)));
};

const makeOne = (deps: FileDeps, folder: string): void => {
  if (isPlain(deps, folder)) return;
  try {
    deps.fs.mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (!failedWith(error, 'EEXIST')) throw error;
    isPlain(deps, folder); // another process was faster
  }
};

/** False if nothing is there. Throws if it is a file, or a link that its owner may not have there. */
const isPlain = (deps: FileDeps, folder: string): boolean => {
  const found = deps.fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isSymbolicLink() && isOwnLink(deps, folder, found.uid)) return true;
  if (found.isSymbolicLink())
    throw new FileError(`${folder} is a link, and links are not followed: put the folder itself there`);
  if (!found.isDirectory()) throw new FileError(`${folder} is not a folder: remove it, or move it away`);
  return true;
};

const OTHERS_WRITE = 0o002;

/** A folder that is kept on another disk: the link and the folder belong to the user of this process, and nobody else writes there. */
const isOwnLink = ({ fs, root, linkable = [] }: FileDeps, link: string, owner: number): boolean => {
  if (!linkable.some((name) => join(root, name) === link)) return false;
  const target = fs.statSync(link, { throwIfNoEntry: false });
  const uid = process.getuid?.() ?? owner;
  return target?.isDirectory() === true && owner === uid && target.uid === uid && (target.mode & OTHERS_WRITE) === 0;
};
