/**
 * The door of NATS: a connection as a port (`NatsLink` in natsLink.ts), and operators that read and write through it: `readStream`, `appendAfter`,
 * `natsService`. It is loaded by `natsHere` of app/nats when something names an address.
 */
export { connectNats } from './connectNats';
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
export { NATS_DEFAULTS, type NatsSettings } from './natsSettings';
export {
  appendAfter,
  makeStream,
  type NatsRead,
  type NatsServiceRequest,
  natsService,
  readStored,
  readStream,
  retryPassing,
  waitBefore,
} from './operators';
export { fromToken, lastToken, toToken } from './tokens';
