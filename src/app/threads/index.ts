export { threadsHere } from './threadsHere';
export { toThreadTable } from './toThreadTable';
