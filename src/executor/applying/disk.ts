/** The port to the disk on which patches are applied. It uses promises: what has begun there is finished, even if nobody waits for it. */

/**
 * What a name refers to. `id`: the same for all names of one file, and of no other file. `owner`: user and group, if the system
 * has them.
 */
export type Entry = {
  kind: 'file' | 'link' | 'folder' | 'other';
  id: string;
  owner?: Owner;
};
export type Owner = { uid: number; gid: number };

/** A file to create. `mode`: permission bits, or those that the system gives a new file; `owner`: set if the system allows it. */
export type NewFile = { bytes: Uint8Array; mode: number | 'default'; owner?: Owner };

/**
 * A folder held open. Names are single names in it; links are not followed, neither on the way to the folder nor in the last name. Each function
 * rejects with the error of the operating system (`code`, `errno`).
 * `create`: the file is new, and flushed to the disk. `link`: makes a second name for a file; fails if the name is taken. `rename` replaces.
 */
export type OpenFolder = {
  entry: (name: string) => Promise<Entry | undefined>;
  read: (name: string) => Promise<Uint8Array>;
  create: (name: string, file: NewFile) => Promise<void>;
  link: (name: string, newName: string) => Promise<void>;
  rename: (name: string, newName: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  makeFolder: (name: string) => Promise<void>;
  removeFolder: (name: string) => Promise<void>;
  sync: () => Promise<void>;
  close: () => Promise<void>;
};

/** `openFolder` takes an absolute path without links; it rejects with ELOOP or ENOTDIR if a link has got into it since. */
export type Disk = { openFolder: (path: string) => Promise<OpenFolder> };

/**
 * Where the journals of patches in progress are kept, out of reach of whoever can change the patched files. A journal is on the disk when `write` or
 * `commit` resolves. `commit` marks the journal of a patch whose files are all in place. `claim` resolves when no other process settles what is left, with
 * how to let others do so; undefined if one does for too long.
 */
export type Journals = {
  write: (id: string, text: string) => Promise<void>;
  commit: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  list: () => Promise<StoredJournal[]>;
  claim: () => Promise<(() => void) | undefined>;
};
/** The journal of one patch as it is kept: whether its files are all in place, the text that was passed to `write`, and when, in ms since 1970. */
export type StoredJournal = { id: string; phase: 'open' | 'committed'; text: string; writtenMs: number };
