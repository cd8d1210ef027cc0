export { accountsHere } from './accountsHere';
export { loginHere } from './loginHere';
export { startLogin } from './startLogin';
