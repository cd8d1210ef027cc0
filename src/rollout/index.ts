export { type RolloutItem, readRolloutLine } from './readRolloutLine';
export { isSessionStart, type SessionStart, toSessionStart } from './sessionStart';
export { lastTurnContext } from './turnContext';
