export { type ChildDeps, type ChildEvent, fromChild, type Spawn } from './fromChild';
export { fromPeer } from './fromPeer';
export { fromReadable } from './fromReadable';
export { type HttpAnswer, type HttpPost, type HttpRequest, httpPost } from './httpPost';
export { type RelayDeps, type RelayEvent, relayChild } from './relayChild';
export { pressureOf, writeLines } from './writeLines';
