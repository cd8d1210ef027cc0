/** The door of the exec-server. */
export { type ExecCeiling, toCeiling } from './ceiling';
export { makeNatsStream, serveNats } from './lazyNats';
export { isLoopback, toListenAddress } from './listenAddress';
export { listsConnectionOwners } from './ownUser';
export { serveSockets } from './serveSockets';
export { serveStdio } from './serveStdio';
export { serveUnix } from './serveUnix';
export { checkSocketFolder } from './socketFolder';
export { readToken } from './token';
