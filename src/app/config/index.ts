export { showConfig, showConfigSchema } from './configHere';
export { type ListedServer, listedServers } from './listedServers';
export { preferredHere } from './preferredHere';
export { startFault } from './startFault';
