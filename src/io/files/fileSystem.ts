/** Port: what this room needs of the file system; `node:fs` fits. */

export type FileSystem = Pick<
  typeof import('node:fs'),
  | 'closeSync'
  | 'constants'
  | 'fchmodSync'
  | 'fstatSync'
  | 'fsync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'statfsSync'
  | 'writeSync'
>;

/**
 * What the operations on files share: `root` is absolute, and the only folder they write to; it may be a link itself. `makeOnce` makes
 * a folder and does not check it again in the same task of the event loop; absent where each is checked each time.
 */
export type FileDeps = { fs: FileSystem; root: string; makeOnce?: (path: string) => void };
