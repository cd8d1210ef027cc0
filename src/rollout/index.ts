export { fileThreads } from './fileThreads';
export { isContext } from './isContext';
export { type RolloutItem, readRolloutLine } from './readRolloutLine';
export type { RolloutEntry, TurnContext } from './rolloutEntry';
export { isSessionStart, toSessionStart } from './sessionStart';
export { ThreadError } from './threadError';
export type { ThreadRecord } from './threadRecord';
export type { ThreadStore } from './threadStore';
export { lastTurnContext } from './turnContext';
