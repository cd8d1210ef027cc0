export { showConfig, showConfigSchema } from './configHere';
export { startFault } from './startFault';
