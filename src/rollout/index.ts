export { type RolloutItem, readRolloutLine } from './readRolloutLine';
export { isSessionStart, toSessionStart } from './sessionStart';
export { lastTurnContext } from './turnContext';
