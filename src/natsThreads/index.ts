/** The door of the thread store in NATS JetStream. */
export { natsThreads } from './natsThreads';
