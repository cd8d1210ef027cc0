export { type Accounts, accounts } from './accounts';
export { AuthError } from './authError';
export { browserLogin, type Listening, type LoginEvent, type Visit } from './browserLogin';
export type { Login, PreferredMethod } from './chooseLogin';
export { deviceLogin } from './deviceLogin';
export { CLIENT_ID, isIssuer, OPENAI_ISSUER } from './tokenRequest';
