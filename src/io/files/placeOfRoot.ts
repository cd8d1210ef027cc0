/**
 * Where root writes files of this program: only into files and folders of root. The rights of files do not stop root, so whoever owns a folder on the way
 * could lead it to any file of the machine, and files of root would stay in a home where their owner cannot use them.
 */
import type { Stats } from 'node:fs';
import { dirname, isAbsolute, parse, resolve } from 'node:path';
import { MAX_LINKS } from '../paths/steps';
import { FileError } from './fileError';
import type { FileSystem } from './fileSystem';

type PlaceDeps = {
  fs: Pick<FileSystem, 'lstatSync' | 'readlinkSync'>;
  /** The user of this process; undefined on a system without users. */
  uid?: number | undefined;
};

const ROOT = 0;

/** Links of the system, such as /dev/stdout, which nobody else makes. */
export const OF_SYSTEM = /^\/(?:dev|proc)\//;

/**
 * For root, throws FileError if something on the way to a path, links and the file itself included, belongs to another user. For other users the rights of
 * the system suffice. @param path absolute; it may be missing
 */
export const checkPlaceOfRoot = ({ fs, uid = process.getuid?.() }: PlaceDeps, path: string): void => {
  if (uid !== ROOT || OF_SYSTEM.test(path)) return;
  const top = parse(path).root;
  const owners = [ROOT, fs.lstatSync(top).uid]; // in a user namespace of its own, files of the real root have another number
  let links = 0; // followed so far
  const check = (at: string): string => {
    if (at === top) return at;
    const name = at.slice(dirname(at).length).replace(/^\//, '');
    const entry = resolve(check(dirname(at)), name);
    const found = factsOf(fs, entry);
    if (found === undefined) return entry; // what cannot be looked at cannot be written either
    if (!owners.includes(found.uid)) throw new FileError(foreign(path, entry, found.uid));
    if (!found.isSymbolicLink() || ++links > MAX_LINKS) return entry;
    const target = fs.readlinkSync(entry);
    return check(isAbsolute(target) ? resolve(target) : resolve(dirname(entry), target));
  };
  check(resolve(path));
};

const factsOf = (fs: PlaceDeps['fs'], path: string): Stats | undefined => {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or a name that is too long
  }
};

const foreign = (path: string, entry: string, uid: number): string =>
  `${path} is not written by root, because ${entry} belongs to user ${uid}: run codex-rx as that user, or name a place of root`;
