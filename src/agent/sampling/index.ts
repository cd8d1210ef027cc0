/** The door of one answer of the model: the request and its attempts, the events and steps made from the answer, the calls that it asks for. */
export { type AttemptDeps, afterAttempt, askModel, isTooLong } from './attempts';
export { afterBreak, sampleOnce } from './sampleOnce';
export { textsOf } from './toEvents';
export type { TurnDeps, TurnPorts } from './turnDeps';
