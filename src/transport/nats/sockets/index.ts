/** Sockets of NATS in place of those of the client: dialed here, read in whole frames. */
export { type SocketOptions, type SocketWatch, socketTransport, type TransportCore } from './socketTransport';
