export { type Faults, readFaults } from './faults';
export { injectFaults } from './injectFaults';
export type { Pace } from './pauses';
export type { Remark } from './playbackEvent';
export { releaseBySteps } from './releaseBySteps';
export { type PatienceOptions, replayClient } from './replayClient';
export { type ReplayOptions, replayServer, type Speed } from './replayServer';
export { replaySessions } from './replaySessions';
