export type { Backend, Process, Started } from './backend';
export { type LocalDeps, localBackend } from './local/localBackend';
export { RETENTION, type RetentionLimits } from './local/retention';
