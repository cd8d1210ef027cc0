export { type LineOptions, liveMarbles } from './live';
export { startDemo } from './startDemo';
export type { TimedTraffic } from './toMarks';
