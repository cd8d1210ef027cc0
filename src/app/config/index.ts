export { showConfig, showConfigSchema } from './configHere';
export { preferredMethod } from './preferredMethod';
export { startFault } from './startFault';
