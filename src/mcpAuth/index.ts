/** The door of logins at MCP servers behind a URL, with OAuth 2.1: discovery, registration, the login in a browser, tokens and their file. */
export { authorized } from './authorized';
export { type Credential, type CredentialFile, credentialFile, type ServerId } from './credentialFile';
export { type McpLoginEvent, mcpLogin } from './mcpLogin';
