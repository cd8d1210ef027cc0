export { showConfig, showConfigSchema } from './configHere';
export { preferredLogin } from './preferredLogin';
export { startFault } from './startFault';
