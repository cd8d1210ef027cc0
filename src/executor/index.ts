export type { Backend } from './backend';
export { localBackend } from './local/localBackend';
