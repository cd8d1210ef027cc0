/** The door of executors behind NATS, loaded by what names one. */
export { natsBackend } from './natsBackend';
export { leastLoadedOf, poolBackend } from './poolBackend';
export { type StreamLimits, serveExecutor } from './serveExecutor';
