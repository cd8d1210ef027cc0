/** What is loaded for executors behind NATS only. */
import { lazy } from '../../streams/lazy';

const served = lazy(() => require('../../fleet/served/serveNats') as typeof import('../../fleet/served/serveNats'));

/** The server as an executor. */
export const serveNats = (...args: Parameters<typeof import('../../fleet/served/serveNats').serveNats>) =>
  served().serveNats(...args);

/** What makes the stream of an executor. */
export const makeNatsStream = (...args: Parameters<typeof import('../../fleet/served/serveNats').makeNatsStream>) =>
  served().makeNatsStream(...args);
