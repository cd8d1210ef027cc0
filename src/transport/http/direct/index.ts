/** Requests that go straight to their server: the connections, and what is written to them and read from them. */
export { connections } from './connections';
export { sendDirect } from './sendDirect';
export { type Target, toTarget } from './target';
