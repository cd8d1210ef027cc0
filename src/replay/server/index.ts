/** Plays the server of a recorded session against a client: each line is matched, and answered as recorded. */
export type { PlaybackEvent, PlayedLine, Remark } from './playbackEvent';
export { type ReplayOptions, replayServer, type Speed } from './replayServer';
