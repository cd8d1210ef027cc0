export { type Child, type ChildDeps, type ChildEvent, fromChild, type Spawn } from './fromChild';
export { fromPeer, type PeerEvent } from './fromPeer';
export { fromReadable } from './fromReadable';
export { type HttpCall, type HttpFetch, type HttpHeader, type HttpPart, httpFetch } from './httpFetch';
export { type HttpAnswer, type HttpPost, type HttpRequest, httpPost } from './httpPost';
export { type RelayDeps, type RelayEvent, relayChild } from './relayChild';
export { type WatchGroup, watchGroups } from './watchGroups';
export { pressureOf, writeLines } from './writeLines';
