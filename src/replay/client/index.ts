/** Plays the client of a recorded session against a server. */
export type { Pace } from './pauses';
export { type PatienceOptions, replayClient } from './replayClient';
