/** The door of the state of calls: one reducer for every protocol face. */
export type { Call, Calls } from './call';
export { endsWait } from './endsWait';
export { askedBy, noCalls, questionsOf } from './openCalls';
export type { Outcome } from './outcomeOf';
export { emptyMap, getValue, type PersistentMap, withoutKey, withValue } from './persistentMap';
export { reduceCalls } from './reduceCalls';
export { type CallsDeps, type ConnectionReducer, runCalls } from './runCalls';
export type { CallInput, CallOutput, EngineInput } from './step';
export type { SkippedAction } from './turn';
