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
