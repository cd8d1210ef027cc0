/** The port to the files that a sandbox is made of. Synchronous: a few quick calls right before a process starts. */
import { basename, dirname } from 'node:path';
import { inFolder } from '../../io/paths/relations';
import { memoize } from '../../streams/lazy';
import type { Pausing } from '../../streams/pausing';

export type FileKind = 'file' | 'folder' | 'link' | 'other';

/** `there`: it was there before; `refused`: this user may not write here. */
export type FolderOutcome = 'made' | 'there' | 'refused' | 'failed';

/** Reads pieces of a file in turn, as many as it needs, and may pause between them. */
export type ReadPieces<T> = (pieces: Iterable<Buffer>) => Pausing<T>;

/** The files; paths are absolute. */
export type SandboxFiles = {
  /** The path without links; undefined if nothing is there. */
  realpath: (path: string) => string | undefined;
  /** Does not follow links. */
  kindOf: (path: string) => FileKind | undefined;
  /** Whether this user can make files in a folder. */
  takesFiles: (path: string) => boolean;
  /** Who a folder for temporary files is for: anybody, whose files are kept apart (as in `/tmp`), or this user alone. Undefined if it is neither. */
  temporaryFor: (path: string) => 'all' | 'self' | undefined;
  /** Whether a command of this user may write what belongs to a user other than root, or is in a folder of one; undefined for other things. */
  ofStranger: (path: string) => 'open' | 'closed' | undefined;
  /** Whether something belongs to this user. */
  isOwn: (path: string) => boolean;
  /** How many hard links a Unix socket has; 0 for anything else. */
  namesOfSocket: (path: string) => number;
  /** Undefined if it is not a regular file: a pipe would block its reader. Throws if no more files can be opened. */
  readText: (path: string) => string | undefined;
  /** The first bytes of the same: the system makes the tables in `/proc` as they are read. */
  readStart: (path: string) => string | undefined;
  /** The number of the inode, through links; undefined if nothing is there. */
  inodeOf: (path: string) => number | undefined;
  /** As `readText`, but undefined for a link, which may lead to a secret. */
  readUnlinked: (path: string) => string | undefined;
  /** Gives the bytes of a regular file to a reader, piece by piece. Undefined as for `readText`. Throws SandboxError if the file is too long. */
  readPieces: <T>(path: string, read: ReadPieces<T>) => Pausing<T | undefined>;
  /** The names in a folder; empty if it cannot be read. */
  list: (path: string) => readonly string[];
  makeFolder: (path: string) => FolderOutcome;
  makeFile: (path: string, text: string) => FolderOutcome;
  /** Does nothing if the folder is missing, or cannot be removed. */
  removeFolder: (path: string) => void;
  /** Does nothing if the file is missing, or cannot be removed. */
  removeFile: (path: string) => void;
};

/** Files that are read once each, for one check: a repository of a thousand submodules is asked for the same paths five times. */
export const readOnce = (files: SandboxFiles): SandboxFiles => {
  const kindOf = memoize(files.kindOf);
  return {
    ...files,
    realpath: realPaths({ kindOf, realpath: files.realpath }),
    kindOf,
    readText: memoize(files.readText),
    list: memoize(files.list),
  };
};

/** Finds a path by its folder, which is found once for all names in it: the system looks at each folder on the way each time. */
const realPaths = ({ kindOf, realpath }: Pick<SandboxFiles, 'kindOf' | 'realpath'>): SandboxFiles['realpath'] => {
  const find: SandboxFiles['realpath'] = memoize((path) => {
    const above = dirname(path);
    const [folder, name] = [above === path ? undefined : find(above), basename(path)];
    if (folder === undefined || name === '.') return realpath(path);
    if (name === '..') return kindOf(folder) === 'folder' ? dirname(folder) : undefined;
    const at = inFolder(folder, name);
    const kind = kindOf(at);
    return kind === 'link' ? realpath(at) : kind && at;
  });
  return find;
};
