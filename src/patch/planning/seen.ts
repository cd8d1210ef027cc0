/** What a planner knows of the files a patch names: a view of the disk that was taken before. */

/**
 * A regular file. `mode`: its permission bits, or those the system gives a new file; `access`: whether this process may write to it.
 */
export type FileState = { bytes: Uint8Array; mode: number | 'default'; access: 'writable' | 'readOnly' };

/**
 * What stands at a path. `real`: the absolute path of the file without links. `entry`: the same for the name itself, which is
 * different where the name is a link; to delete a path removes its entry.
 * `absent`: nothing is there, but something may be made. `blocked`: neither read nor made, with the error text of the system;
 * `parent`: no folder can be made above it either.
 */
export type Seen =
  | { kind: 'file'; real: string; entry: string; file: FileState }
  | { kind: 'absent'; real: string }
  | { kind: 'blocked'; part: 'file' | 'parent'; reason: string };

/** What stands at each path that a patch names; keys are paths as written. `absolute` is the path joined to the folder, as written. */
export type View = ReadonlyMap<string, Seen & { absolute: string }>;
