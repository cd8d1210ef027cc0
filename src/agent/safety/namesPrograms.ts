/** Determines whether git would run programs that a repository names. */
import { dirname, join, resolve } from 'node:path';
import { gitdirOf, withoutEndBreaks } from '../../streams/text/trim';
import { climbsBack } from './trustedPaths';

/** The files of a repository by absolute path; links are followed. */
export type RepositoryFiles = {
  /** Undefined if nothing is there. */
  realpath: (path: string) => string | undefined;
  /** False for a path that exists but is not read: a pipe, whose writer could answer git arbitrarily, a device, a file that is too long. */
  isPlain: (path: string) => boolean;
  /** Undefined if there is no readable file. Throws if that cannot be determined. */
  readText: (path: string) => string | undefined;
  /** As `readText`. */
  readBytes: (path: string) => Buffer | undefined;
};

/**
 * Sections of a git configuration that name programs, include other files that may, or make git run git in other repositories.
 * Programs that the environment keeps git from running are not among them: fsmonitor, hooks, pagers, signatures.
 * Source: git-config(1) 2.39 and 2.51: diff.external, diff.*.command, diff.*.textconv, filter.*, hook.*, status.submoduleSummary.
 */
const SECTIONS = /\[\s*(?:diff|filter|hook|include|includeif|status)\b/i;

/**
 * A work tree elsewhere, whose submodules git visits. A path with quotes, escapes or a comment counts as elsewhere.
 * Source: git 2.39, config.c and setup.c.
 */
const WORK_TREE = /\bworktree\s*=[ \t]*([^\n]*)/gi;

/** A git directory contains these, even if it is not called `.git`. */
const CONFIGS = ['config', 'config.worktree'];

/**
 * True if git in this folder could read a configuration of a repository that names programs. All folders above are checked, because git
 * skips folders that are not repositories; and the submodules of each, because `git status` runs git in them. Also true if something cannot be checked.
 * @param folder absolute, without links
 */
export const namesPrograms =
  (files: RepositoryFiles) =>
  (folder: string): boolean => {
    try {
      return foldersUp(folder).some((at) => hasSections(files, at) || namesInTree(files, at, MAX_DEPTH));
    } catch {
      return true; // no more files can be opened, or a path cannot be followed: what is there is unknown
    }
  };

/** How deep submodules are followed into submodules; deeper ones count as if they named programs. */
const MAX_DEPTH = 5;

/** The repository whose work tree begins in this folder, and its submodules. */
const namesInTree = (files: RepositoryFiles, folder: string, depth: number): boolean => {
  if (!files.isPlain(join(folder, '.git'))) return true;
  const own = ownFolder(files, folder);
  if (![join(own, 'commondir'), join(own, 'index')].every(files.isPlain)) return true;
  const workTree = { own, folder };
  const common = commonFolder(files, own);
  if ([own, common].some((gitFolder) => hasSections(files, gitFolder, workTree))) return true;
  const index = files.readBytes(join(own, 'index'));
  if (index === undefined) return false;
  const links = gitlinksOf(index, hashesOf(files, common));
  if (links === undefined || (links.length > 0 && depth === 0)) return true;
  return links.some((link) => namesInTree(files, follow(files, folder, toText(link)), depth - 1));
};

type WorkTree = {
  /** Its git directory. */
  own: string;
  /** In which it begins. */
  folder: string;
};

/** Without `workTree` a work tree anywhere counts as elsewhere. */
const hasSections = (files: RepositoryFiles, gitFolder: string, workTree?: WorkTree): boolean =>
  CONFIGS.map((name) => join(gitFolder, name)).some((path) => {
    if (!files.isPlain(path)) return true;
    const config = files.readText(path) ?? '';
    return SECTIONS.test(config) || isElsewhere(files, config, workTree);
  });

const isElsewhere = (files: RepositoryFiles, config: string, workTree?: WorkTree): boolean =>
  [...config.matchAll(WORK_TREE)].some(
    ([, value = '']) =>
      !workTree || /["\\;#]/.test(value) || follow(files, workTree.own, withoutBlanks(value)) !== workTree.folder,
  );

const withoutBlanks = (value: string): string => value.replace(/(?<![ \t\r])[ \t\r]+$/, '');

/** The configuration may say SHA-256 in many spellings, or only seem to. */
const hashesOf = ({ readText }: RepositoryFiles, gitFolder: string): number[] =>
  /objectformat/i.test(readText(join(gitFolder, 'config')) ?? '') ? [20, 32] : [20];

/** A path of the index, which is stored as bytes. */
const toText = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();

const foldersUp = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersUp(dirname(folder))];

/** If `.git` is a file, it names the git directory; blanks belong to the name. Source: git 2.39, setup.c. */
const ownFolder = (files: RepositoryFiles, folder: string): string =>
  follow(files, folder, gitdirOf(files.readText(join(folder, '.git'))) ?? '.git');

/** The git directory that others share with this one, or this one. */
const commonFolder = (files: RepositoryFiles, own: string): string =>
  follow(files, own, withoutEndBreaks(files.readText(join(own, 'commondir')) ?? ''));

/**
 * Where a path leads that a repository names, links resolved. Throws if that is uncertain, as with letters that are not UTF-8, or a NUL.
 * @param from without links
 */
const follow = (files: RepositoryFiles, from: string, named: string): string => {
  if (/[\0\ufffd]/.test(named) || climbsBack(named)) throw new Error('an uncertain path');
  const path = resolve(from, named);
  return files.realpath(path) ?? path;
};

/** Of the mode of a gitlink, git looks at these bits only. */
const KIND = 0o170000;
/** A commit of another repository. */
const GITLINK = 0o160000;
/** A folder whose entries are left out of a sparse index. */
const FOLDER = 0o040000;
const OID_AT = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;
/** The length of a name; the greatest value stands for every longer name too. */
const LENGTH = 0xfff;

/**
 * The paths of the gitlinks in an index, relative to the work tree. Undefined if the index cannot be read completely: an unknown version, a
 * split or a sparse index. Own code: git is not asked, because it could run programs that the repository names; only two members of each entry are read.
 * @param hashes the bytes of an object name, 20 for SHA-1 and 32 for SHA-256; both if it is uncertain which of them git uses
 * Source: gitformat-index(5), versions 2 to 4; git 2.39, read-cache.c.
 */
export const gitlinksOf = (index: Buffer, hashes: readonly number[]): string[] | undefined => {
  const version = index.length > 12 && index.toString('latin1', 0, 4) === 'DIRC' ? index.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return undefined;
  const count = index.readUInt32BE(8);
  const readings = hashes.flatMap((oidBytes) => readEntries(index, { version, oidBytes, count }));
  return readings.length === 0 || readings.includes('incomplete') ? undefined : readings.flat();
};

type Shape = { version: number; oidBytes: number; count: number };

/** One reading; none if git could not read the entries either, because they end too early. */
const readEntries = (index: Buffer, shape: Shape): (readonly string[] | 'incomplete')[] => {
  try {
    return [readAll(index, shape)];
  } catch {
    return [];
  }
};

const readAll = (index: Buffer, shape: Shape): readonly string[] | 'incomplete' => {
  const links: string[] = [];
  let at = 12;
  let path = '';
  let isSparse = false;
  for (let i = 0; i < shape.count; i++) {
    const mode = index.readUInt32BE(at + MODE_AT);
    const entry = readName(index, at, { ...shape, before: path });
    path = entry.path;
    if ((mode & KIND) === GITLINK) links.push(path);
    isSparse ||= mode === FOLDER;
    at = entry.end;
  }
  return isSparse || hasLinkExtension(index, at, shape.oidBytes) ? 'incomplete' : links;
};

/**
 * Version 4 omits what a name has in common with the previous name; the other versions pad entries to a multiple of 8 bytes. A name is as long as
 * its flags say, whatever bytes are in it: a reader that ended it at a NUL would find other entries than git.
 */
const readName = (index: Buffer, at: number, { version, oidBytes, before }: Shape & { before: string }) => {
  const flagsAt = at + OID_AT + oidBytes;
  const flags = index.readUInt16BE(flagsAt);
  const nameAt = flagsAt + (flags & EXTENDED ? 4 : 2);
  const { value, end: from } = version === 4 ? readOffset(index, nameAt) : { value: before.length, end: nameAt };
  const kept = before.slice(0, Math.max(0, before.length - value));
  const length = flags & LENGTH;
  const end = length < LENGTH ? from + length - kept.length : nulAfter(index, from);
  if (end < from - 1) throw new RangeError('a name shorter than what it has in common');
  return {
    path: kept + index.toString('latin1', from, end), // bytes, so that lengths fit
    end: version === 4 ? end + 1 : at + Math.ceil((end + 1 - at) / 8) * 8,
  };
};

const nulAfter = (index: Buffer, from: number): number => {
  const nul = index.indexOf(0, from);
  return nul < 0 ? index.length : nul;
};

/** Git takes a longer number for none. */
const MAX_OFFSET = 2 ** 57;

/** The number of bytes left out, in the encoding of offsets in packs. */
const readOffset = (index: Buffer, at: number): { value: number; end: number } => {
  let end = at;
  let byte = index.readUInt8(end++);
  let value = byte & 127;
  while (byte & 128) {
    if (value + 1 >= MAX_OFFSET) return { value: 0, end: at };
    byte = index.readUInt8(end++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end };
};

/** A split index has most of its entries in another file. */
const hasLinkExtension = (index: Buffer, from: number, oidBytes: number): boolean => {
  for (let at = from; at + 8 <= index.length - oidBytes; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString('latin1', at, at + 4) === 'link') return true;
  }
  return false;
};
