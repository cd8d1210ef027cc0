/** The WebSocket library, loaded by the first connection; a bundle that opens none leaves it out. */
import { lazy } from '../../streams/lazy';

/** The package ws, loaded by the first socket. */
export const webSockets = /* @__PURE__ */ lazy(() => require('ws') as typeof import('ws'));
