/** The door of the configuration of this machine: what commands show of it, and what keeps the server from starting. */
export { showConfig, showConfigSchema } from './configHere';
export { preferredLogin } from './preferredLogin';
export { startFault } from './startFault';
