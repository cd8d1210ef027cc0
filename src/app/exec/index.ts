/** The door of the exec-server. */
export { type ExecCeiling, toCeiling } from './ceiling';
export { isLoopback, type ListenAddress, toListenAddress } from './listenAddress';
export { knowsUsers } from './ownUser';
export { type ServeSocketsDeps, type ServeSocketsOptions, serveSockets } from './serveSockets';
export { type ServeStdioDeps, serveStdio } from './serveStdio';
export { type ServeUnixDeps, type ServeUnixOptions, serveUnix } from './serveUnix';
export { checkSocketFolder } from './socketFolder';
export { readToken } from './token';
