export { describeThreadError } from './describeThreadError';
export { threadsHere } from './threadsHere';
export { toThreadTable } from './toThreadTable';
