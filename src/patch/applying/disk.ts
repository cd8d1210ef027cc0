/** The port to the disk that patches are applied on. It speaks promises: what has begun there comes to its end, also when nobody listens. */

/**
 * The file that a name leads to. `id`: the same for all names of one file, and of no other. `owner`: user and group, where the system
 * has them.
 */
export type Entry = {
  kind: 'file' | 'link' | 'folder' | 'other';
  id: string;
  owner?: Owner;
};
export type Owner = { uid: number; gid: number };

/** A file to make. `mode`: permission bits, or those the system gives a new file; `owner`: kept where the system lets us. */
export type NewFile = { bytes: Uint8Array; mode: number | 'default'; owner?: Owner };

/**
 * A folder held open. Names are single names in it; no link is followed, neither on the way to the folder nor as the last name. Each function
 * rejects with the error of the operating system (`code`, `errno`).
 * `create`: the file is new, and on the disk. `link`: a second name for a file; fails where the name is taken. `rename` replaces.
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

/** `openFolder` takes an absolute path without links; it rejects with ELOOP or ENOTDIR where a link has come into it since. */
export type Disk = { openFolder: (path: string) => Promise<OpenFolder> };

/**
 * Where notes of patches under way are kept, out of reach of those whose files are patched. A note is on the disk when `write` or `commit` resolves.
 * `commit` marks the note of a patch whose files are all in place.
 */
export type Journals = {
  write: (id: string, text: string) => Promise<void>;
  commit: (id: string) => Promise<void>;
  remove: (id: string) => Promise<void>;
  list: () => Promise<JournalNote[]>;
};
/** What a journal says of one patch: whether its files are all in place, and the text that `write` got. */
export type JournalNote = { id: string; phase: 'open' | 'committed'; text: string };
