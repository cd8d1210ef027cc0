/** Streams of a connection: what they have stored, and the consumers that read it. */
export { natsStreams } from './natsStreams';
