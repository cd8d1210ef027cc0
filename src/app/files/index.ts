/** The door of files of this program on the disk of this machine. */
export { filesHere } from './filesHere';
export {
  createNamed,
  isOwnFolder,
  lockNamed,
  makeNamedFolder,
  openLog,
  openToAppend,
  removeNamed,
  replaceNamed,
} from './namedHere';
export { ownersHere } from './ownersHere';
