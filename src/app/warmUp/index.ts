export { runWarmUpTurns } from './runWarmUpTurns';
export { sessionOptions } from './sessionOptions';
