/** The door of a server that runs as a child process. */
export { type ServerEvent, serverProcess } from './serverProcess';
export { withProcessId } from './withProcessId';
