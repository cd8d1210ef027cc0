/** The door of recorded sessions that are served over HTTP. */
export { authorizeLocal } from './authorizeLocal';
export { serveSessions } from './serveSessions';
