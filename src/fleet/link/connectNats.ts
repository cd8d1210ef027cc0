/** The edge of a connection to NATS. */
import type { NatsConnection } from '@nats-io/transport-node';
import { from, ignoreElements, merge, Observable, of, shareReplay, switchMap } from 'rxjs';
import { parseNatsAddress } from '../../io/nats/natsAddress';
import { NatsError } from '../../io/nats/natsError';
import type { Log } from '../../protocol/log';
import type { NatsSettings } from '../../settings/natsSettings';
import { ensureBucket } from './natsBuckets';
import type { NatsOwn } from './natsConnection';
import type { NatsLink } from './natsLink';
import { natsMessages } from './natsMessages';
import { natsOptions } from './natsOptions';
import { type NatsPackages, natsPackages } from './natsPackages';
import { natsStates } from './natsStates';
import { openConnection } from './openConnection';
import { type ReceivedErrors, receivedErrors } from './receivedErrors';
import { natsStreams } from './streams/natsStreams';
import { toNatsError } from './toNatsError';

/** `packages` loads the client; by default what is installed. */
export type NatsDeps = { address: string; settings: NatsSettings; log: Log; packages?: () => NatsPackages };

/** How long a close waits for what was sent to leave. */
const DRAIN_MS = 2_000;

/**
 * Emits the link once it is open; its losses and returns are in `state$` and in the log, and it reconnects forever. Never completes. Errors with
 * a `NatsError` when it cannot be opened, and when the server refuses it later. Unsubscribing closes it, after what was sent has left.
 *   connection  ---o--d--r---x     (o open, d disconnected, r reconnected, x refused)
 *   out         ---L---------#
 */
export const connectNats = ({ address, settings, log, packages = natsPackages }: NatsDeps): Observable<NatsLink> =>
  new Observable<Opened>((subscriber) => {
    let connection: NatsConnection | undefined;
    const stopping = new AbortController();
    const parsed = parseNatsAddress(address);
    const run = async () => {
      const loaded = packages();
      const options = natsOptions(loaded.core, parsed, settings);
      connection = await openConnection({ ...loaded, options, stop: stopping.signal });
      if (stopping.signal.aborted) return close(connection);
      const manager = await loaded.jetstream.jetstreamManager(connection, { checkAPI: false, ...domainOf(settings) });
      if (!stopping.signal.aborted) subscriber.next({ connection, manager, packages: loaded });
      const reason = await connection.closed();
      throw reason ?? new NatsError('unreachable', `${parsed.shown}: the connection was closed`);
    };
    run().catch((error) => stopping.signal.aborted || subscriber.error(toNatsError(parsed.shown, error)));
    return () => {
      stopping.abort();
      if (connection !== undefined) close(connection);
    };
  }).pipe(
    switchMap((opened) => {
      const received = receivedErrors();
      const state$ = statesOf(opened.connection, { log, received });
      const link = toLink({ ...opened, state$, received }, settings, parseNatsAddress(address).shown);
      return merge(of(link), state$.pipe(ignoreElements()));
    }),
  );

type Opened = Pick<NatsOwn, 'connection' | 'manager' | 'packages'>;

const domainOf = ({ domain }: NatsSettings) => (domain === undefined ? {} : { domain });

const close = async (connection: NatsConnection): Promise<void> => {
  const late = setTimeout(() => void connection.close(), DRAIN_MS);
  await connection.drain().catch(() => connection.close());
  clearTimeout(late);
};

const toLink = (
  opened: Opened & Pick<NatsOwn, 'state$' | 'received'>,
  settings: NatsSettings,
  address: string,
): NatsLink => {
  const { connection, packages, state$ } = opened;
  const stream = packages.jetstream.jetstream(connection, domainOf(settings));
  const { prefix, inbox } = settings;
  const own: NatsOwn = {
    ...opened,
    stream,
    prefix,
    inbox,
    get maxPayload() {
      return connection.info?.max_payload ?? 0; // may change when the server is restarted
    },
  };
  return {
    address,
    prefix,
    get maxPayload() {
      return own.maxPayload;
    },
    state$,
    ...natsMessages(own),
    ...natsStreams(own),
    ensureBucket: ensureBucket(own),
  };
};

type StateDeps = { log: Log; received: ReceivedErrors };

/** The state now and those that follow. */
const statesOf = (connection: NatsConnection, { log, received }: StateDeps) =>
  from(connection.status()).pipe(
    natsStates({ server: connection.getServer(), log, isReceived: received.has }),
    shareReplay({ bufferSize: 1, refCount: true }),
  );
