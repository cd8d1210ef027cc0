/** The door of serving recorded sessions over HTTP. */
export { authorizeLocal } from './authorizeLocal';
export { serveSessions } from './serveSessions';
