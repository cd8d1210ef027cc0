export { cannotRun } from './cannotRun';
export type { Child, ChildDeps, ChildEvent } from './child';
export { type CountedGroups, countGroups } from './countGroups';
export { type DialDeps, dialSocket } from './dialSocket';
export { type FindProgramDeps, findProgram } from './findProgram';
export { fromChild } from './fromChild';
export { fromPeer, type PeerEvent } from './fromPeer';
export { fromReadable } from './fromReadable';
export { fromTerminal, type TerminalDeps } from './fromTerminal';
export { type HttpCall, type HttpFetch, type HttpHeader, type HttpPart, httpFetch } from './httpFetch';
export { type HttpAnswer, type HttpPost, type HttpRequest, httpPost } from './httpPost';
export {
  type Caller,
  type ListenDeps,
  type Listening,
  listenSocket,
  type SocketAddress,
  type Visit,
} from './listenSocket';
export { type ListenUnixDeps, listenUnix, type UnixListening } from './listenUnix';
export { type RelayDeps, type RelayEvent, relayChild } from './relayChild';
export type { Frame } from './socket';
export { socketOwner } from './socketOwner';
export type { Spawn } from './spawn';
export type { SpawnTerminal, Terminal } from './terminal';
export { type TrustDeps, trustedFolders } from './trustedFolders';
export { type WatchFile, watchFiles } from './watchFiles';
export type { WatchGroup } from './watchGroup';
export { PROCESS_MARK, watchGroups } from './watchGroups';
export { backpressureOf, writeLines } from './writeLines';
