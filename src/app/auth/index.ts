export { accountsHere } from './accountsHere';
export { startLogin } from './startLogin';
