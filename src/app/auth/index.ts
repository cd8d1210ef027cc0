export { accountsHere } from './accountsHere';
export { listenAnywhere } from './listenCallback';
export { loginHere } from './loginHere';
export { startLogin } from './startLogin';
