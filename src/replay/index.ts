export type { Pace } from './pauses';
export type { PlaybackEvent, Remark } from './playbackEvent';
export { releaseBySteps } from './releaseBySteps';
export { type PatienceOptions, replayClient } from './replayClient';
export { type ReplayOptions, replayServer, type Speed } from './replayServer';
export { replaySessions } from './replaySessions';
