export { type AccountsHere, accountsHere, loginDeps } from './accountsHere';
export { startLogin } from './startLogin';
