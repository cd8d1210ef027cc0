export { type Accounts, accounts } from './accounts';
export { AuthError } from './authError';
export { type BrowserLoginDeps, browserLogin, type Listening, type LoginEvent, type Visit } from './browserLogin';
export type { Login } from './chooseLogin';
export { deviceLogin } from './deviceLogin';
export { CLIENT_ID, OPENAI_ISSUER } from './tokenRequest';
