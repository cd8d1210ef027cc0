/** Connections to NATS as this machine makes them. It is loaded when something names an address. */
import { defer, type Observable } from 'rxjs';
import { readNats } from '../../config/readNats';
import type { Log } from '../../log/log';
import { connectNats } from '../../transport/nats/connectNats';
import type { NatsLink } from '../../transport/nats/natsLink';
import type { EngineOptions } from '../engineOptions';
import type { ProcessInfo } from '../processInfo';
import { configDeps } from '../wiring/wiring';

/** `options` are those of the command line; a call has no say in them. */
export type NatsHereDeps = { processInfo: ProcessInfo; options: EngineOptions; log: Log };

/**
 * A connection to an address, with what the operator set to log in. Emits the link, and errors with a `NatsError` where it cannot be
 * opened, or with a `ConfigError`; see `connectNats`.
 */
export const natsHere =
  ({ processInfo, options, log }: NatsHereDeps) =>
  (address: string): Observable<NatsLink> =>
    defer(() => connectNats({ address, settings: readNats(configDeps({ processInfo, options })), log }));
