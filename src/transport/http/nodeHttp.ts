/** Node's HTTP modules, loaded by the first use: that takes 5 ms and more. */
import { lazy } from '../../lazy';

/** Node's module for HTTP without TLS. */
export const http = lazy(() => require('node:http') as typeof import('node:http'));

/** Node's module for HTTP over TLS. */
export const https = lazy(() => require('node:https') as typeof import('node:https'));
