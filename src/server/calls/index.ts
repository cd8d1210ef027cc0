export type { Call } from './call';
export type { Outcome } from './outcomeOf';
export { type CallsDeps, runCalls } from './runCalls';
export type { CallInput, CallOutput } from './step';
export type { NotDone } from './turn';
