export { type ListedServer, listedServers } from './listedServers';
export { authorizedHere, mcpLoginsHere, startMcpLogin } from './mcpLoginsHere';
