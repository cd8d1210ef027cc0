/** The door of the exec-server. */
export { isLoopback, toListenAddress } from './listenAddress';
export { knowsUsers } from './ownUser';
export { serveSockets } from './serveSockets';
export { serveStdio } from './serveStdio';
export { readToken } from './token';
