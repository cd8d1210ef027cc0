/** The port to a file system. */
import type { Observable } from 'rxjs';

/** `mode`: permission bits; `writable`: whether this process may write to it. Both are our extensions, so some executors leave them out. */
export type FileFacts = {
  isDirectory: boolean;
  isFile: boolean;
  isSymlink: boolean;
  size: number;
  createdAtMs: number;
  modifiedAtMs: number;
  mode?: number;
  writable?: boolean;
};
/** An entry of a folder. */
export type FileEntry = { fileName: string; isDirectory: boolean; isFile: boolean };

/** A block of an open file; `eof` when nothing follows it. */
export type FileBlock = { bytes: Uint8Array; eof: boolean };
/** A file that stays open. `read` and `write` act when they are subscribed; `close` is called once. */
export type OpenFile = {
  read: (offset: number, length: number) => Observable<FileBlock>;
  write: (offset: number, bytes: Uint8Array) => Observable<void>;
  close: () => void;
};

/** `replace` creates the file, or empties an existing one, before anything is written. */
export type OpenMode = 'read' | 'replace';

/** What a file holds. `mode`: its permission bits, or those the system gives a new file. */
export type FileContent = { bytes: Uint8Array; mode: number | 'default' };

/**
 * One file of a patch. `before`, `after`: its contents, undefined if there is no file. `real`: the path that is changed, with links
 * resolved except in its last name; `found` is what is there. `path`, `absolute`: how the patch names it, for errors. `movedTo`: the real
 * path of the file that has its content now.
 */
export type FileChange = {
  path: string;
  absolute: string;
  real: string;
  found: 'file' | 'link' | 'nothing';
  before?: FileContent;
  after?: FileContent;
  movedTo?: string;
};

/**
 * A patch by the `journal` that its caller kept. `open`: it is rolled back; `committed`: what it left beside its files is removed. `interrupted`: its process
 * was killed, so its files decide, and what people have gone on from stays. `sinceMs`: when the journal was written, in ms since 1970.
 */
export type PatchToSettle = { journal: unknown; phase: 'open' | 'committed' | 'interrupted'; sinceMs: number };

/** `message`: what is wrong, and what became of the files. */
export type ChangeOutcome = { kind: 'applied' } | { kind: 'failed'; message: string };

/**
 * Paths are absolute. Each emits once and completes, or errors with the operating system's error (`code`, `errno`). `facts` follows links,
 * and marks them. `read` ends after `maxBytes`: some files have no size, and no end. `change` changes all files or none, and none if one
 * has changed since. With a `journalId`, the id of a journal that the caller keeps, what it leaves beside the files stays until `settle`.
 * `open` does not complete before the file is closed; unsubscribing closes the file.
 */
export type Files = {
  facts: (path: string) => Observable<FileFacts>;
  read: (path: string, maxBytes: number) => Observable<Uint8Array>;
  write: (path: string, bytes: Uint8Array) => Observable<void>;
  makeDirectory: (path: string, how: { recursive: boolean }) => Observable<void>;
  list: (path: string) => Observable<FileEntry[]>;
  remove: (path: string, how: { recursive: boolean; force: boolean }) => Observable<void>;
  copy: (from: string, to: string) => Observable<void>;
  canonical: (path: string) => Observable<string>;
  change: (changes: readonly FileChange[], journalId?: string) => Observable<ChangeOutcome>;
  settle: (patch: PatchToSettle) => Observable<void>;
  open: (path: string, mode: OpenMode) => Observable<OpenFile>;
};
