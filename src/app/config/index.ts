export { showConfig, showConfigSchema } from './configHere';
