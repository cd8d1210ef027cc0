/** The door of the thread store in NATS JetStream. */
export { type NatsThreadsDeps, natsThreads } from './natsThreads';
