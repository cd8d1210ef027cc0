/** The door of recording: sessions read from relayed requests. */
export { assignSessions } from './assignSessions';
export { NO_SESSIONS } from './httpSessions';
export { readExchange } from './readExchange';
export type { SessionOutput, SessionStep } from './sessionOutput';
