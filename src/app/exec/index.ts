/** The door of the exec-server. */
export { isLoopback, type ListenAddress, toListenAddress } from './listenAddress';
export { knowsUsers } from './ownUser';
export { type ServeSocketsDeps, type ServeSocketsOptions, serveSockets } from './serveSockets';
export { type ServeStdioDeps, serveStdio } from './serveStdio';
export { readToken } from './token';
