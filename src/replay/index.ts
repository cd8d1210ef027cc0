/** The door of replays of a recorded session, as its client or as its server. */
export { type Pace, type PatienceOptions, replayClient } from './client';
export { type Faults, readFaults } from './faults';
export { injectFaults } from './injectFaults';
export { releaseBySteps } from './releaseBySteps';
export { replaySessions } from './replaySessions';
export { type Remark, type ReplayOptions, replayServer, type Speed } from './server';
