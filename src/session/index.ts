/** The door of the index of a recorded session: messages, parties, pairs of request and response, calls, threads. */
export { endOf, toServerEnd } from './endOf';
export { groupBy } from './groupBy';
export { joinDeltas, outputCategoryOf } from './joinDeltas';
export { isFailure } from './pairCalls';
export { eventTypeOf, type PairingKey, serverLabelOf, toPairingKey } from './pairingKey';
export { seamOutcomeOf } from './pairSeamCalls';
export { labelOf, type ParsedLine, parseLine, type TapeMessage } from './parseLine';
export { trackParties } from './parties';
export {
  namesOf,
  type Renaming,
  referencesOf,
  renameRequests,
  withoutRequestNames,
  withRequestId,
} from './requestNames';
export type {
  Call,
  CallOutcome,
  ClientLine,
  IndexedEntry,
  IndexedMessage,
  ServerLine,
  SessionIndex,
  Side,
} from './sessionIndex';
export { toSessionIndex } from './toSessionIndex';
