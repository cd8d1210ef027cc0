/** The port to a file system. */
import type { Observable } from 'rxjs';

/** Facts about a file, without its content. */
export type FileFacts = {
  isDirectory: boolean;
  isFile: boolean;
  isSymlink: boolean;
  size: number;
  createdAtMs: number;
  modifiedAtMs: number;
  /** Permission bits. An extension of ours, so some executors leave it out. */
  mode?: number;
  /** Whether this process may write to the file. An extension of ours, so some executors leave it out. */
  writable?: boolean;
};
type FileEntry = { fileName: string; isDirectory: boolean; isFile: boolean };

/** A block of an open file. */
export type FileBlock = {
  bytes: Uint8Array;
  /** Nothing follows the block. */
  eof: boolean;
};
/** A file that stays open. */
export type OpenFile = {
  /** Acts when it is subscribed. */
  read: (offset: number, length: number) => Observable<FileBlock>;
  /** Acts when it is subscribed. */
  write: (offset: number, bytes: Uint8Array) => Observable<void>;
  /** Called once. */
  close: () => void;
};

/** `replace` creates the file, or empties an existing one, before anything is written. */
export type OpenMode = 'read' | 'replace';

/** The content of a file. */
export type FileContent = {
  bytes: Uint8Array;
  /** Its permission bits; `default`: the bits that the system gives a new file. */
  mode: number | 'default';
};

/** One file of a patch. */
export type FileChange = {
  /** The path by which the patch first names the file. */
  path: string;
  /** The same as an absolute path, for errors. */
  absolute: string;
  /** The path without links, except for a last name that changes itself: then `found` is a link, and `before` what it leads to. */
  real: string;
  /** What is there. */
  found: 'file' | 'link' | 'nothing';
  /** The old content; undefined if there is no file. */
  before?: FileContent;
  /** The new content; undefined if the file is removed. */
  after?: FileContent;
  /** The real path of the file that has its content now. */
  movedTo?: string;
};

/** A patch that was not settled. */
export type PatchToSettle = {
  /** The journal that its caller kept. */
  journal: unknown;
  /** `open`: it is rolled back. `committed`: old files are removed. `interrupted`: its files decide; a file that was changed since stays. */
  phase: 'open' | 'committed' | 'interrupted';
  /** When the journal was written, in ms since 1970. */
  sinceMs: number;
};

/** The result of a patch. */
export type ChangeOutcome =
  | { kind: 'applied' }
  | {
      kind: 'failed';
      /** The fault, and the state of the files. */
      message: string;
    };

/** A file system. Paths are absolute. Each member emits once and completes, or errors with the error of the operating system (`code`, `errno`). */
export type Files = {
  /** Follows links, and marks them. */
  facts: (path: string) => Observable<FileFacts>;
  /** Reads up to `maxBytes`: some files have no size, and no end. */
  read: (path: string, maxBytes: number) => Observable<Uint8Array>;
  write: (path: string, bytes: Uint8Array) => Observable<void>;
  makeDirectory: (path: string, how: { recursive: boolean }) => Observable<void>;
  list: (path: string) => Observable<FileEntry[]>;
  remove: (path: string, how: { recursive: boolean; force: boolean }) => Observable<void>;
  copy: (from: string, to: string) => Observable<void>;
  canonical: (path: string) => Observable<string>;
  /** Changes all files or none; none if one has changed since. With the id of a journal, the old files stay until `settle`. */
  change: (changes: readonly FileChange[], journalId?: string) => Observable<ChangeOutcome>;
  settle: (patch: PatchToSettle) => Observable<void>;
  /** Completes when the file is closed. Unsubscribing closes the file. */
  open: (path: string, mode: OpenMode) => Observable<OpenFile>;
};
