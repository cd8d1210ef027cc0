/** Port: what this room needs of the file system; `node:fs` fits. */

export type FileSystem = Pick<
  typeof import('node:fs'),
  | 'closeSync'
  | 'constants'
  | 'fchmodSync'
  | 'fstatSync'
  | 'fsync'
  | 'fsyncSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readSync'
  | 'readdirSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'writeSync'
>;

/**
 * What the operations on files share: `root` is absolute, and the only folder they write to; it may be a link itself. `made`: the folders that
 * were found or made in the current task of the event loop and are not checked again in it; absent where each is checked each time.
 */
export type FileDeps = { fs: FileSystem; root: string; made?: MadeFolders };

/** Absolute paths. */
export type MadeFolders = Pick<Set<string>, 'has' | 'add'>;
