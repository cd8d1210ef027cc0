export { showConfig, showConfigSchema } from './configHere';
export { preferredHere } from './preferredHere';
export { startFault } from './startFault';
