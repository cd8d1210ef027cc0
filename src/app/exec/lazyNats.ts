/** What is loaded for executors behind NATS only. */
import { lazy } from '../../lazy/lazy';

const served = lazy(() => require('./serveNats') as typeof import('./serveNats'));

/** The server as an executor. */
export const serveNats = (...args: Parameters<typeof import('./serveNats').serveNats>) => served().serveNats(...args);

/** What makes the stream of an executor. */
export const makeNatsStream = (...args: Parameters<typeof import('./serveNats').makeNatsStream>) =>
  served().makeNatsStream(...args);
