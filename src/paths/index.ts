/** The door of looks at paths: what is there, and the text of files that may not be there. */
export {
  cannotEnter,
  exactFactsAt,
  factsAt,
  isFile,
  isFolder,
  isProgram,
  isReadable,
  isThere,
  isWritable,
  isWritableFolder,
  linkFactsAt,
  realPathOf,
} from './look';
export { factsOrThrow, linkFactsOrThrow, lookAt, lookAtLink } from './lookAt';
export { readIfThere, readRegular } from './readIfThere';
