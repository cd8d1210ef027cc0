/** The door of executors behind NATS, loaded by what names one. */
export { leastLoadedOf, natsBackend, poolBackend } from './client';
export { operatorStream, type StreamLimits, serveExecutor } from './server';
