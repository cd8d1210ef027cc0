/** Connections to NATS as this machine makes them. It is loaded when something names an address. */
import { defer, type Observable } from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { configDeps } from '../../agent/wiring/wiring';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { readNats } from '../../settings/readNats';
import { connectNats } from './connectNats';
import type { NatsLink } from './natsLink';

/** `options` come from the command line; a call cannot change them. */
type NatsHereDeps = { processInfo: ProcessInfo; options: EngineOptions; log: Log };

/**
 * A connection to an address, with what the operator set to log in. Emits the link, and errors with a `NatsError` if it cannot be
 * opened, or with a `ConfigError`; see `connectNats`.
 */
export const natsHere =
  ({ processInfo, options, log }: NatsHereDeps) =>
  (address: string): Observable<NatsLink> =>
    defer(() => connectNats({ address, settings: readNats(configDeps({ processInfo, options })), log }));
