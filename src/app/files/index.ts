export { filesHere } from './filesHere';
export { createNamed, isOwnFolder, makeNamedFolder, openLog, openToAppend, replaceNamed } from './namedHere';
