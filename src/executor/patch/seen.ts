/** The files that a patch names, as a planner sees them: a view of the disk before the patch. */

/** A regular file. */
export type FileState = {
  bytes: Uint8Array;
  /** Its permission bits, or those the system gives a new file. */
  mode: number | 'default';
  /** Whether this process may write to it. */
  access: 'writable' | 'readOnly';
};

/** What is at a path. `absent`: nothing, but a file may be created. `blocked`: a file can neither be read nor created. */
export type Seen =
  | {
      kind: 'file';
      /** The absolute path of the file, with links resolved. */
      real: string;
      /** The same for the name itself, which is different if the name is a link. Deleting a path removes its entry. */
      entry: string;
      file: FileState;
    }
  | { kind: 'absent'; real: string }
  | {
      kind: 'blocked';
      /** `parent`: no folder can be made above it either. */
      part: 'file' | 'parent';
      /** The error text of the system. */
      reason: string;
    };

/** What is at each path that a patch names; keys are paths as written. */
export type View = ReadonlyMap<
  string,
  Seen & {
    /** The path joined to the folder, as written. */
    absolute: string;
  }
>;
