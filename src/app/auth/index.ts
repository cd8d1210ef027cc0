/** The door of logins on this machine: who is logged in, and the login by browser or device. */
export { accountsHere } from './accountsHere';
export { listenAnywhere } from './listenCallback';
export { loginHere } from './loginHere';
export { startLogin } from './startLogin';
