/** The door of what a client, a server and a recorder share in reading HTTP: bodies, Server-Sent Events, the handshake, failures. */
export { isFine } from './isFine';
export { isInitialize, isInitialized } from './isInitialize';
export { joinText } from './joinText';
export { EventTooLong, readEvents, type ServerSentEvent } from './readEvents';
export { remedyOf } from './remedyOf';
export { toSingleLine } from './toSingleLine';
