export { askPeer } from './askPeer';
export { decodeMessages } from './decodeMessages';
export { decodeUtf8 } from './decodeUtf8';
export { flatten } from './flatten';
export { followedBy } from './followedBy';
export { byKind, ofKind } from './ofKind';
export { noPressure, type Pressure } from './pressure';
export { splitLines } from './splitLines';
export { type Said, talk } from './talk';
