/** The door of files that this program owns: private, no links followed, appended to or replaced as a whole, locked. */
export type { Appender } from './appendFile';
export { createFile } from './createFile';
export { FileError, failedWith } from './fileError';
export { takenText } from './lockFile';
export { type NamedFile, openNamed, openNamedLog } from './namedFile';
export { type Owner, type Owners, ownerState, ownerText, readOwner } from './owner';
export { ownFacts } from './ownFacts';
export { permissionFault } from './permissionFault';
export { type PrivateFiles, privateFiles } from './privateFiles';
export { processStart } from './processStart';
export { systemLock } from './systemLock';
