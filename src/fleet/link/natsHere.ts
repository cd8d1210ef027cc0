/** Connections to NATS as this machine makes them. It is loaded when something names an address. */
import { defer, type Observable } from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { configDeps } from '../../agent/wiring/wiring';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { readNats } from '../../settings/readNats';
import { connectNats } from './connectNats';
import type { NatsLink } from './natsLink';

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
