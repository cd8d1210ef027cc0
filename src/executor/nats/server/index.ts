/** The executor side: the service that others find, connections of its clients, and the output that it stores. */
export { operatorStream, type StreamLimits } from './ownStream';
export { serveExecutor } from './serveExecutor';
