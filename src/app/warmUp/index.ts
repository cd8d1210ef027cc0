export { runWarmUpTurns } from './runWarmUpTurns';
