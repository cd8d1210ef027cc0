/** Operators on the port of a connection: they read and write across lost connections. */
export { appendAfter } from './appendAfter';
export { makeStream } from './makeStream';
export { type NatsServiceRequest, natsService } from './natsService';
export { readStored } from './readStored';
export { type NatsRead, readStream } from './readStream';
export { retryPassing, waitBefore } from './retryPassing';
