export { type Accounts, accounts } from './accounts';
export { AuthError } from './authError';
export { newProof, type Proof, type ProofDeps } from './authorization';
export { browserLogin, type Listening, type LoginEvent, type Visit } from './browserLogin';
export { readCallback } from './callback';
export type { Login, PreferredMethod } from './chooseLogin';
export { deviceLogin } from './deviceLogin';
export { renewOnce } from './renewOnce';
export { CLIENT_ID, isIssuer, OPENAI_ISSUER, refusalOf, type TokenAnswer } from './tokenRequest';
