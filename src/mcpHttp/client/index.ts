/** The door of the client: a server behind a URL in place of a process. */
export { dialMcp } from './dialMcp';
export { type McpBackendDeps, mcpBackend } from './mcpBackend';
