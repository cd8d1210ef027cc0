export { askPeer } from './askPeer';
export { decodeMessages, unbatch } from './decodeMessages';
export { decodeUtf8 } from './decodeUtf8';
export { followedBy } from './followedBy';
export { byKind, ofKind } from './ofKind';
export { splitLines } from './splitLines';
