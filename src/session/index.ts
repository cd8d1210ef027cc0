export { bindHandles } from './bindHandles';
export { endOf, toServerEnd } from './endOf';
export { fillHoles, fitsHoles, type HoleValues, withHoleValues } from './fillHoles';
export { groupBy } from './groupBy';
export { type Handles, toHandles } from './handles';
export { mapMessage } from './handleTexts';
export { ignoresLabel, toIgnoredMethod } from './ignore';
export { isDescription } from './isDescription';
export { joinDeltas, outputCategoryOf } from './joinDeltas';
export { ALL_MASKS, hidesMessage, isTokenName, MASKS, type Masks, toMask, uuidsOf } from './mask';
export { joinMaskWords, type MaskWords, masksOf, NO_WORDS, problemOfMasks } from './maskWords';
export { matchKey, toCanonical, toMatched } from './matchKey';
export { toNamedHole } from './namedHoles';
export { opensSession } from './opensSession';
export { isFailure } from './pairCalls';
export { eventTypeOf, type PairingKey, serverLabelOf, toPairingKey } from './pairingKey';
export { seamOutcomeOf } from './pairSeamCalls';
export { labelOf, type ParsedLine, parseLine, type TapeMessage } from './parseLine';
export { trackParties } from './parties';
export { optionalLines, pickLines, unsolicitedLabels } from './pickLines';
export { afterTrial, candidateOf, type Reduction, startReduction } from './reduction';
export { handlesIn, replaceHandles, toHandleNames } from './replaceHandles';
export {
  ANY_ID,
  freshIds,
  type LetteredRequest,
  letterOf,
  lettersIn,
  requestAnsweredBy,
  requestsIn,
  withFreshIds,
  withLetters,
  withRequestIds,
} from './requestLetters';
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
export { TIME_SOURCE } from './timeSource';
export { toSessionIndex } from './toSessionIndex';
