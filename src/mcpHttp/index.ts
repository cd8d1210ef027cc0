/**
 * The door of MCP over HTTP: sessions read from relayed requests, recorded sessions served and played over HTTP, and servers behind a URL
 * instead of a process.
 */
export { dialMcp, type McpBackendDeps, mcpBackend } from './client';
export { assignSessions, NO_SESSIONS, readExchange, type SessionOutput, type SessionStep } from './recording';
export { authorizeLocal, serveSessions } from './server';
