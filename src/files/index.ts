export type { Appender } from './appendFile';
export { FileError, failedWith } from './fileError';

export { type Holder, takenText } from './lockFile';
export { type PrivateFiles, privateFiles } from './privateFiles';
export { processStart } from './processStart';
export { systemLock } from './systemLock';
