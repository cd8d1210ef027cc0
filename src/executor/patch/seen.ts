/** What a planner knows of the files that a patch names: a view of the disk that was taken beforehand. */

/** A regular file. */
export type FileState = {
  bytes: Uint8Array;
  /** Its permission bits, or those the system gives a new file. */
  mode: number | 'default';
  /** Whether this process may write to it. */
  access: 'writable' | 'readOnly';
};

/**
 * What is at a path. `real`: the absolute path of the file with links resolved. `entry`: the same for the name itself, which is
 * different if the name is a link; deleting a path removes its entry.
 * `absent`: nothing is there, but something may be created. `blocked`: it can neither be read nor created, with the system's error text;
 * `parent`: no folder can be made above it either.
 */
export type Seen =
  | { kind: 'file'; real: string; entry: string; file: FileState }
  | { kind: 'absent'; real: string }
  | { kind: 'blocked'; part: 'file' | 'parent'; reason: string };

/** What is at each path that a patch names; keys are paths as written. */
export type View = ReadonlyMap<
  string,
  Seen & {
    /** The path joined to the folder, as written. */
    absolute: string;
  }
>;
