/** The door of the turns in memory that warm up the daemon. */
export { runWarmUpTurns } from './runWarmUpTurns';
export { sessionOptions } from './sessionOptions';
