export { type Accounts, accounts } from './accounts';
export { AuthError } from './authError';
export { browserLogin, type Listening, type LoginEvent, type Visit } from './browserLogin';
export type { Login, PreferredMethod } from './chooseLogin';
export { deviceLogin } from './deviceLogin';
export { isIssuer } from './issuer';
export { CLIENT_ID, OPENAI_ISSUER } from './tokenRequest';
