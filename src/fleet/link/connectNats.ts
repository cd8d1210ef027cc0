/** Opens a connection to NATS: its requests, its streams, and its buckets of keys and values. */
import type { KV } from '@nats-io/kv';
import type { NatsConnection, Status } from '@nats-io/transport-node';
import {
  connect,
  defer,
  delay,
  distinctUntilChanged,
  from,
  ignoreElements,
  map,
  merge,
  Observable,
  of,
  shareReplay,
  startWith,
  switchMap,
  tap,
} from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { configDeps } from '../../agent/wiring/wiring';
import { NatsError, parseNatsAddress } from '../../io/nats/natsAddress';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { type NatsSettings, readNats } from '../../settings/readNats';
import { mapMulti } from '../../streams/gather';
import {
  callNats,
  type NatsOwn,
  natsMessages,
  type ReceivedErrors,
  receivedErrors,
  withoutJetStream,
} from './natsConnection';
import type { NatsBucket, NatsBucketSpec, NatsEntry, NatsLink, NatsState } from './natsLink';
import { type NatsPackages, natsPackages } from './natsPackages';
import { natsOptions, openConnection } from './openConnection';
import { natsStreams } from './streams/natsStreams';
import { toNatsError } from './toNatsError';

type NatsDeps = {
  address: string;
  settings: NatsSettings;
  log: Log;
  /** Loads the client. Default: the installed packages. */
  packages?: () => NatsPackages;
};

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
  const payload = lastPayload(connection);
  const own: NatsOwn = {
    ...opened,
    stream,
    prefix,
    inbox,
    get maxPayload() {
      return payload();
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

/** How much the server takes, which may change when it is restarted; while it is away the client knows only what it took before. */
const lastPayload = (connection: NatsConnection): (() => number) => {
  let known = connection.info?.max_payload ?? 0;
  return () => {
    known = connection.info?.max_payload ?? known;
    return known;
  };
};

const statesOf = (connection: NatsConnection, { log, received }: { log: Log; received: ReceivedErrors }) =>
  from(connection.status()).pipe(
    natsStates({ server: connection.getServer(), log, isReceived: received.has }),
    shareReplay({ bufferSize: 1, refCount: true }),
  );

/** Creates a bucket if it is missing. It is read from its leader only, as a replica may lack the latest write, and an update would then fail. */
const ensureBucket =
  (own: NatsOwn) =>
  ({ name, maxBytes, maxAgeMs, replicas }: NatsBucketSpec): Observable<NatsBucket> => {
    const kvm = new own.packages.kv.Kvm(own.stream);
    const options = { history: 1, ttl: maxAgeMs, max_bytes: maxBytes === 0 ? -1 : maxBytes, replicas };
    const run = () => kvm.create(name, { ...options, allow_direct: false });
    return callNats(own, { what: `the bucket ${name}`, run, whySilent: withoutJetStream(own) }).pipe(
      map((kv) => toBucket(own, name, kv)),
    );
  };

const toBucket = (own: NatsOwn, name: string, kv: KV): NatsBucket => {
  const call = <T>(key: string, run: () => Promise<T>) => callNats(own, { what: `the key ${key} of ${name}`, run });
  return {
    get: (key) => call(key, () => kv.get(key)).pipe(map((entry) => (entry === null ? undefined : toEntry(entry)))),
    create: (key, data) => call(key, () => kv.create(key, data)),
    update: (key, data, revision) => call(key, () => kv.update(key, data, revision)),
    remove: (key, revision) => call(key, () => kv.delete(key, { previousSeq: revision })),
  };
};

type Found = { key: string; value: Uint8Array; revision: number; created: Date; operation: string };

const toEntry = ({ key, value, revision, created, operation }: Found): NatsEntry => ({
  key,
  revision,
  atMs: created.getTime(),
  data: operation === 'PUT' ? value : undefined,
});

type NatsStatesDeps = {
  /** The server that it is connected to. */
  server: string;
  log: Log;
  /** True if a caller has received the error. */
  isReceived: (error: Error) => boolean;
};

type Seen = { kind: NatsState['kind']; server: string };

/**
 * Emits the state now, and each change: the client reports a lost server again at each attempt. Logs the changes, and, a turn later, the errors that no
 * caller has received by then. Completes and errors with the source.
 *   status  -d-d-r-     (d disconnect, r reconnect)
 *   out     cd---c-
 */
export const natsStates =
  ({ server, log, isReceived }: NatsStatesDeps) =>
  (status$: Observable<Status>): Observable<NatsState> =>
    status$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(toChanges(), tap(logChange(log)), startWith<Seen>({ kind: 'connected', server }), map(toState)),
          shared$.pipe(toErrors(), delay(0), tap(logError(log, isReceived)), ignoreElements()),
        ),
      ),
    );

const toChanges = () => (status$: Observable<Status>) =>
  status$.pipe(
    mapMulti((status, emit: (seen: Seen) => void) => {
      if (status.type === 'reconnect') emit({ kind: 'connected', server: status.server });
      if (status.type === 'disconnect') emit({ kind: 'reconnecting', server: status.server });
    }),
    distinctUntilChanged((before, seen) => before.kind === seen.kind),
  );

const toErrors = () =>
  mapMulti((status: Status, emit: (error: Error) => void) => {
    if (status.type === 'error') emit(status.error);
  });

const toState = ({ kind, server }: Seen): NatsState => (kind === 'connected' ? { kind, server } : { kind });

const logChange =
  (log: Log) =>
  ({ kind, server }: Seen): void =>
    log('warning', kind === 'connected' ? `NATS: connected again to ${server}` : `NATS: lost ${server}, reconnecting`);

const logError = (log: Log, isReceived: NatsStatesDeps['isReceived']) => (error: Error) => {
  if (!isReceived(error)) log('warning', toNatsError('NATS', error).message);
};

/** `options` come from the command line; a call cannot change them. */
type NatsHereDeps = { processInfo: ProcessInfo; options: EngineOptions; log: Log };

/** A connection to an address, with what the operator set to log in; see `connectNats`. Errors also with ConfigError. */
export const natsHere =
  ({ processInfo, options, log }: NatsHereDeps) =>
  (address: string): Observable<NatsLink> =>
    defer(() => connectNats({ address, settings: readNats(configDeps({ processInfo, options })), log }));
