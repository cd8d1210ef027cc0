/**
 * The door of NATS: a connection as a port (`NatsLink` in natsLink.ts), and operators that read and write through it: `readStream`, `appendAfter`,
 * `natsService`. It is loaded by `natsHere` of app/nats when something names an address.
 */
export { appendAfter } from './appendAfter';
export { connectNats } from './connectNats';
export { makeStream } from './makeStream';
export { isNatsAddress, parseNatsAddress } from './natsAddress';
export { isNatsFailure, NatsError } from './natsError';
export type {
  NatsAppend,
  NatsBucket,
  NatsDelivery,
  NatsEntry,
  NatsHeaders,
  NatsLink,
  NatsStored,
  NatsStreamFacts,
} from './natsLink';
export { type NatsServiceRequest, natsService } from './natsService';
export { NATS_DEFAULTS, type NatsSettings } from './natsSettings';
export { readStored } from './readStored';
export { type NatsRead, readStream } from './readStream';
export { retryPassing, waitBefore } from './retryPassing';
export { fromToken, lastToken, toToken } from './tokens';
