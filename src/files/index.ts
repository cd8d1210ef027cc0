export type { Appender } from './appendFile';
export { FileError, failedWith, toFileError } from './fileError';
export type { FileSystem } from './fileSystem';
export { type Holder, type Lock, type LockDeps, takenText } from './lockFile';
export { type FolderEntry, type PrivateFiles, privateFiles } from './privateFiles';
export { processStart } from './processStart';
export { systemLock } from './systemLock';
