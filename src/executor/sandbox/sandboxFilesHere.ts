/** The files that sandboxes are made of, on this machine. */
import { constants, mkdirSync, readdirSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { factsAt, isWritable, isWritableFolder, linkFactsAt, realPathOf } from '../../io/paths/look';
import { foldersUp } from '../../io/paths/relations';
import { ownProc } from '../../io/processes/ownProc';
import { inParent } from './openNoFollow';
import { readPieces, readPlain, readStart } from './readPlain';
import type { FileKind, FolderOutcome, SandboxFiles } from './sandboxFiles';

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

/** Undefined if the system refuses; anything else is a bug. */
const tried = <T>(call: () => T): T | undefined => {
  try {
    return call();
  } catch (error) {
    if (/^E[A-Z]+$/.test(codeOf(error))) return undefined;
    throw error;
  }
};

const REFUSED = ['EACCES', 'EPERM', 'EROFS'];

const made = (call: () => void): FolderOutcome => {
  try {
    call();
    return 'made';
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return 'there';
    return REFUSED.includes(code) ? 'refused' : 'failed';
  }
};

const kindOf = (path: string): FileKind | undefined => {
  const facts = linkFactsAt(path);
  if (facts === undefined) return undefined;
  if (facts.isSymbolicLink()) return 'link';
  return facts.isDirectory() ? 'folder' : facts.isFile() ? 'file' : 'other';
};

/** Whether each user may remove only what is his own, and everybody may write. */
const STICKY = 0o1002;
const OF_OTHERS = 0o077;

const temporaryFor = (path: string): 'all' | 'self' | undefined => {
  const facts = factsAt(path);
  if (facts === undefined || !facts.isDirectory()) return undefined;
  if ((facts.mode & STICKY) === STICKY) return 'all';
  return facts.uid === process.getuid?.() && (facts.mode & OF_OTHERS) === 0 ? 'self' : undefined;
};

const isOwn = (path: string): boolean => linkFactsAt(path)?.uid === process.getuid?.();

const namesOfSocket = (path: string): number => {
  const facts = linkFactsAt(path);
  return facts?.isSocket() ? facts.nlink : 0;
};

const [WRITE, ENTER] = [0o2, 0o1];

/** Whether a right of the owner, of a group or of others lets root do something, without a capability. */
const isLetBy = (right: number, path: string): boolean => {
  const { uid = 0, gid = 0, mode = 0 } = linkFactsAt(path) ?? {};
  return uid === 0 || ((mode >> (process.getgroups?.().includes(gid) ? 3 : 0)) & right) !== 0;
};

/** Root reaches what only another user may, by a capability; no command in a sandbox has it, and bubblewrap can mount nothing there. */
const needsCapability = (path: string): boolean =>
  process.getuid?.() === 0 &&
  !(isLetBy(WRITE, path) && foldersUp(dirname(path)).every((folder) => isLetBy(ENTER, folder)));

const ofStranger = (path: string): 'open' | 'closed' | undefined => {
  if (needsCapability(path)) return 'closed';
  if (isOwn(path) || [undefined, 0].includes(linkFactsAt(path)?.uid)) return undefined;
  return isWritable(path) ? 'open' : 'closed';
};

/** A command could put a link in the place of a folder above. On other systems than Linux, and without /proc, there is nothing better than the path. */
const inPlace = <T>(path: string, act: (path: string) => T): T =>
  process.platform === 'linux' && ownProc() !== undefined ? inParent(path, act) : act(path);

/** The disk of this machine, as sandboxes need it. What cannot be read is undefined, or an empty list. */
export const sandboxFiles: SandboxFiles = {
  realpath: realPathOf,
  kindOf,
  readText: (path) => readPlain(path)?.toString(),
  readStart: (path) => readStart(path)?.toString(),
  inodeOf: (path) => factsAt(path)?.ino,
  readPieces,
  readUnlinked: (path) => readPlain(path, constants.O_NOFOLLOW)?.toString(),
  takesFiles: isWritableFolder,
  temporaryFor,
  ofStranger,
  isOwn,
  namesOfSocket,
  list: (path) => tried(() => readdirSync(path)) ?? [],
  makeFolder: (path) => made(() => inPlace(path, (at) => mkdirSync(at))),
  makeFile: (path, text) => made(() => inPlace(path, (at) => writeFileSync(at, text, { flag: 'wx', mode: 0o600 }))),
  removeFolder: (path) => tried(() => inPlace(path, (at) => rmdirSync(at))),
  removeFile: (path) => tried(() => inPlace(path, (at) => unlinkSync(at))),
};
