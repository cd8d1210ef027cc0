/** The door of stored threads of this machine or of a NATS server. */
export { describeThreadError } from './describeThreadError';
export { threadsHere } from './threadsHere';
export { toThreadTable } from './toThreadTable';
