/** The door of the exec-server. */
export { type ServeExecDeps, type ServeExecOptions, serveExec } from './serveExec';
