/**
 * The door of MCP over HTTP: sessions read from relayed requests, and recorded sessions served and played over HTTP; servers behind a URL
 * in place of a process.
 */
export { dialMcp, type McpBackendDeps, mcpBackend } from './client';
export { assignSessions, NO_SESSIONS, readExchange, type SessionOutput, type SessionStep } from './recording';
export { authorizeLocal, serveSessions } from './server';
