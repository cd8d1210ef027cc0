/**
 * The door of MCP over HTTP: sessions read from relayed requests, and recorded sessions served and played over HTTP; servers behind a URL
 * in place of a process.
 */
export { assignSessions } from './assignSessions';
export { authorizeLocal } from './authorizeLocal';
export { dialMcp } from './dialMcp';
export { NO_SESSIONS } from './httpSessions';
export { type McpBackendDeps, mcpBackend } from './mcpBackend';
export { readExchange } from './readExchange';
export { serveSessions } from './serveSessions';
export type { SessionOutput, SessionStep } from './sessionOutput';
