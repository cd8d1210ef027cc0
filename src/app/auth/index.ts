export { accountsHere } from './accountsHere';
export { loginHere } from './loginHere';
export { authorizedHere, mcpLoginsHere, startMcpLogin } from './mcpLoginsHere';
export { startLogin } from './startLogin';
