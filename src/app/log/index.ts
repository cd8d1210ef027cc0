/** The door of the process's log: records of every room, written by winston to stderr or a file, never to stdout. */
export { createLog, type OwnedLog } from './createLog';
