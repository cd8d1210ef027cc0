/** The door of logins: auth.json, which credential counts, its refresh, login by browser and by device. */
export { type Accounts, accounts } from './accounts';
export { AuthError } from './authError';
export { newProof, type Proof, type ProofDeps } from './authorization';
export { browserLogin, type Listening, type LoginEvent, type PendingCallback } from './browserLogin';
export { readCallback } from './callback';
export type { Login, PreferredMethod } from './chooseLogin';
export { claimsOf } from './claims';
export { deviceLogin } from './deviceLogin';
export { isToken } from './isToken';
export { readTokenResponse, type TokenResponse } from './readTokenResponse';
export { renewOnce } from './renewOnce';
export { CLIENT_ID, isIssuer, OPENAI_ISSUER, refusalOf } from './tokenRequest';
