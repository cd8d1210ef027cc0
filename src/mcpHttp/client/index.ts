/** The door of the client: a server behind a URL instead of a process. */
export { dialMcp } from './dialMcp';
export { type McpBackendDeps, mcpBackend } from './mcpBackend';
