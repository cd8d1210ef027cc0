/** The door of executors behind NATS, loaded by what names one. */
export { natsBackend } from './natsBackend';
export type { StreamLimits } from './ownStream';
export { leastLoadedOf, poolBackend } from './poolBackend';
export { serveExecutor } from './serveExecutor';
