export { filesHere } from './filesHere';
export {
  createNamed,
  isOwnFolder,
  makeNamedFolder,
  openLog,
  openToAppend,
  removeNamed,
  replaceNamed,
} from './namedHere';
