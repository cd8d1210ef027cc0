/** The port to a file system. */
import type { Observable } from 'rxjs';

export type FileFacts = {
  isDirectory: boolean;
  isFile: boolean;
  isSymlink: boolean;
  size: number;
  createdAtMs: number;
  modifiedAtMs: number;
};
export type FileEntry = { fileName: string; isDirectory: boolean; isFile: boolean };

/** A block of an open file; `eof` when nothing is behind it. */
export type FileBlock = { bytes: Uint8Array; eof: boolean };
export type OpenFile = {
  read: (offset: number, length: number) => Observable<FileBlock>;
  write: (offset: number, bytes: Uint8Array) => Observable<void>;
  close: () => void;
};

/** `replace` makes the file where there is none, and empties it, before anything is written. */
export type OpenMode = 'read' | 'replace';

/**
 * Absolute paths. Each emits once and completes, or errors with the operating system's error (`code`, `errno`).
 * `facts` follows links, and marks them. `read` ends behind
 * `maxBytes`: some files have no size, and no end. `open` does not complete before the file is closed; leaving it closes the file.
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
  open: (path: string, mode: OpenMode) => Observable<OpenFile>;
};
