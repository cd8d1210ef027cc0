/**
 * Where root writes files of this program: only into files and folders of root. The rights of files do not stop root, so whoever owns a folder on the way
 * could lead it to any file of the machine, and files of root would stay in a home where their owner cannot use them.
 */
import { resolve } from 'node:path';
import { unlessFailed } from '../paths/look';
import { findStep, type Step } from '../paths/steps';
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
  const owners = [ROOT, fs.lstatSync('/').uid]; // in a user namespace of its own, files of the real root have another number
  // what cannot be looked at cannot be written either
  const step = unlessFailed(() => findStep(resolve(path), ({ facts }) => !owners.includes(facts.uid), fs));
  if (step !== undefined) throw new FileError(foreign(path, step));
};

const foreign = (path: string, { path: entry, facts: { uid } }: Step): string =>
  `${path} is not written by root, because ${entry} belongs to user ${uid}: run codex-rx as that user, or name a place of root`;
