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

/** What the operations on files share. */
export type FileDeps = {
  fs: FileSystem;
  /** Absolute; the only folder that is written to. It may be a link itself. */
  root: string;
  /** Names in the root at which its owner may have a link to a folder of his own. */
  linkable?: readonly string[];
};
