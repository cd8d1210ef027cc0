/** What a planner knows of the files that a patch names: a view of the disk that was taken beforehand. */

/**
 * A regular file. `mode`: its permission bits, or those the system gives a new file; `access`: whether this process may write to it.
 */
export type FileState = { bytes: Uint8Array; mode: number | 'default'; access: 'writable' | 'readOnly' };

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

/** What is at each path that a patch names; keys are paths as written. `absolute` is the path joined to the folder, as written. */
export type View = ReadonlyMap<string, Seen & { absolute: string }>;
