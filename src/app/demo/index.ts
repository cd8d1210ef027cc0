/** The door of the demo: a client of the real server, drawn in marbles. */
export { type LineOptions, liveMarbles } from './live';
export { startDemo } from './startDemo';
export type { TimedTraffic } from './toMarks';
