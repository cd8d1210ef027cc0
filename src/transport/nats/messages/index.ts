/** Messages that a connection sends: requests and what is published to streams, each with its response. */
export { type NatsAcks, natsAcks } from './natsAcks';
export { natsMessages } from './natsMessages';
