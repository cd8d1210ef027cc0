/** The port to the disk on which patches are applied. It uses promises: an operation that has begun is finished, even if nobody waits for it. */

/** What a name refers to. */
export type Entry = {
  kind: 'file' | 'link' | 'folder' | 'other';
  /** The same for all names of one file, and of no other file. */
  id: string;
  /** User and group, if the system has them. */
  owner?: Owner;
};
type Owner = { uid: number; gid: number };

/** A file to create. */
export type NewFile = {
  bytes: Uint8Array;
  /** Permission bits, or the bits that the system gives a new file. */
  mode: number | 'default';
  /** Set if the system allows it. */
  owner?: Owner;
};

/**
 * A folder held open. Names are single names in it; links are not followed, neither on the way to the folder nor in the last name. Each function rejects with
 * the error of the operating system (`code`, `errno`).
 */
export type OpenFolder = {
  entry: (name: string) => Promise<Entry | undefined>;
  read: (name: string) => Promise<Uint8Array>;
  /** Creates a new file, flushed to the disk. */
  create: (name: string, file: NewFile) => Promise<void>;
  /** Gives a file a second name. Fails if the name is taken. */
  link: (name: string, newName: string) => Promise<void>;
  /** Replaces the file that has the new name. */
  rename: (name: string, newName: string) => Promise<void>;
  remove: (name: string) => Promise<void>;
  makeFolder: (name: string) => Promise<void>;
  removeFolder: (name: string) => Promise<void>;
  sync: () => Promise<void>;
  close: () => Promise<void>;
};

/** The disk. */
export type Disk = {
  /** Opens an absolute path without links. Rejects with ELOOP or ENOTDIR if the path has a link in it by now. */
  openFolder: (path: string) => Promise<OpenFolder>;
};

/** The journals of patches in progress, out of reach of whoever can change the patched files. A journal is on the disk when `write` or `commit` resolves. */
export type Journals = {
  write: (id: string, text: string) => Promise<void>;
  /** Marks the journal of a patch whose files are all in place. */
  commit: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  list: () => Promise<StoredJournal[]>;
  /** Resolves with the function that ends the claim once no other process settles interrupted patches; with undefined if another process takes too long. */
  claim: () => Promise<(() => void) | undefined>;
};
/** The stored journal of a patch. `committed`: its files are all in place. `text` was passed to `write` at `writtenMs`, in ms since 1970. */
export type StoredJournal = { id: string; phase: 'open' | 'committed'; text: string; writtenMs: number };
