/** The door of logins at MCP servers, on this machine. */
export { type ListedServer, listedServers } from './listedServers';
export { authorizedHere, mcpLoginsHere, startMcpLogin } from './mcpLoginsHere';
