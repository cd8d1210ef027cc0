/** The port to the files that a sandbox is made of. Synchronous: a few quick calls right before a process starts. */

export type FileKind = 'file' | 'folder' | 'link' | 'other';

/** `there`: it was made, or was there before; `refused`: this user may not write here. */
export type FolderOutcome = 'there' | 'refused' | 'failed';

/**
 * Absolute paths. `realpath` gives undefined if nothing is there; `readText` and `readBytes` also for what is no regular file, as a pipe
 * would block its reader. `takesFiles` is whether this user can make files in a folder. `kindOf` does not follow links; `list` has the names in a
 * folder, none if it cannot be read. What is removed may be gone already, or stay if it cannot be removed. `readText` and `readBytes` throw
 * if no more files can be opened.
 */
export type SandboxFiles = {
  realpath: (path: string) => string | undefined;
  kindOf: (path: string) => FileKind | undefined;
  takesFiles: (path: string) => boolean;
  readText: (path: string) => string | undefined;
  readBytes: (path: string) => Buffer | undefined;
  list: (path: string) => readonly string[];
  makeFolder: (path: string) => FolderOutcome;
  makeFile: (path: string, text: string) => FolderOutcome;
  removeFolder: (path: string) => void;
  removeFile: (path: string) => void;
};
