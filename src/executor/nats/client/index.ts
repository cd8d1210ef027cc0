/** The client side: a backend on one executor or on a pool of them, and the events of its processes. */
export { natsBackend } from './natsBackend';
export { leastLoadedOf, poolBackend } from './poolBackend';
