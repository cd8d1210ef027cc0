/** The door of matching, which messages of two runs count as the same: masks, canonical text. */
export { ignoresLabel, toIgnoredMethod } from './ignore';
export { ALL_MASKS, hiddenBy, hidesMessage, isTokenName, MASKS, type Masks, toMask, uuidsOf } from './mask';
export { joinMaskWords, type MaskWords, masksOf, NO_WORDS, problemOfMasks } from './maskWords';
export { matchKey, toCanonical, toMatched } from './matchKey';
export { opensSession } from './opensSession';
export { TIME_SOURCE } from './timeSource';
