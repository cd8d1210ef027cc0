/** The door of executors behind NATS, loaded by what names one. */
export { natsBackend } from './natsBackend';
export { operatorStream, type StreamLimits } from './ownStream';
export { leastLoadedOf, poolBackend } from './poolBackend';
export { serveExecutor } from './serveExecutor';
