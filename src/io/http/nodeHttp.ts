/** Node's HTTP modules, loaded by the first use: that takes 5 ms and more. */
import { lazy } from '../../streams/lazy';

/** Node's module for HTTP without TLS. */
export const http = lazy(() => require('node:http') as typeof import('node:http'));

/** Node's module for HTTP over TLS. */
export const https = lazy(() => require('node:https') as typeof import('node:https'));

/** The name of a status; '' if it has none. */
export const statusTextOf = (status: number): string => http().STATUS_CODES[status] ?? '';
