export type { Backend, Process, Started } from './backend';
export { dropSeen } from './dropSeen';
export { inOrder } from './inOrder';
export { LAGGED, type Lagged } from './lagged';
export { type LocalDeps, localBackend } from './local/localBackend';
export { RETENTION, type RetentionLimits } from './local/retention';
export { type ProcessTransportDeps, processTransport } from './processTransport';
export { type RecoverDeps, recoverLag } from './recoverLag';
export { TransportError } from './transportError';
