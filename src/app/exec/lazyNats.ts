/** What is loaded for executors behind NATS only. */
import { lazy } from '../../lazy';

const served = lazy(() => require('./serveNats') as typeof import('./serveNats'));
const names = lazy(() => require('../../transport/nats') as typeof import('../../transport/nats'));

/** The server as an executor. */
export const serveNats = (...args: Parameters<typeof import('./serveNats').serveNats>) => served().serveNats(...args);

/** True for a name that executors and pools may have. */
export const isExecutorName = (name: string): boolean => names().isPlainName(name);
