/** Where the threads of a fleet are kept: one stream, one bucket of leases. */
import {
  catchError,
  concat,
  EMPTY,
  forkJoin,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  skip,
  switchMap,
  throwError,
} from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { parseObject, textOf } from '../../protocol/jsonrpc/json';
import { isPlainName, PLAIN_NAME } from '../../streams/text/trim';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { ThreadError } from '../../threads/threadError';
import type { NatsBucket, NatsHeaders, NatsLink } from '../link/natsLink';
import { toToken } from '../link/tokens';
import { makeStream } from '../operators/appendAfter';
import { retryPassing } from '../operators/retryPassing';

/** Where the threads of a fleet are kept. */
export type ThreadPlace = {
  link: NatsLink;
  /** Has a subject for each thread. */
  stream: string;
  /** Begins the subjects of threads. */
  subjects: string;
  /** The subject of a thread. */
  subjectOf: (id: string) => string;
  /** Has a key for each thread that is in use. */
  leases: NatsBucket;
  /** The server removes a key this long after its last write, by its own clock. */
  leaseMs: number;
  /** Names the store to people. */
  address: string;
};

const DEFAULT_NAME = 'default';
const DESCRIPTION = 'threads of codex-rx: the lines of one rollout under each subject';
/** Streams and buckets are named after the store. */
const NAME = `a thread store has a name of ${PLAIN_NAME}`;
/** How long a thread stays with a process that does not renew its lease. */
const LEASE_MS = 20_000;

/**
 * Emits the place once it is there, and again after each reconnection, for the server may have come back without its store; does not complete. What is
 * absent is made, what is there stays as its operator made it. Errors with ThreadError if it cannot be made at first.
 *   state  c---r--c---     (c connected, r reconnecting)
 *   out    -P------P--
 * @param name of the store, '' for the default
 */
export const openPlace = (link: NatsLink, name: string): Observable<ThreadPlace> => {
  const store = name === '' ? DEFAULT_NAME : name;
  const made$ = isPlainName(store) ? makePlace(link, store) : throwError(() => new NatsError('address', NAME));
  const again$ = link.state$.pipe(
    skip(1), // the state now
    switchMap(({ kind }) => (kind === 'connected' ? made$.pipe(retryPassing()) : EMPTY)),
    catchError(() => EMPTY), // those who use it get the error
  );
  return concat(made$, again$).pipe(inNats(addressOf(link, store)));
};

const addressOf = ({ address }: NatsLink, store: string): string => `${address}/${store}`;

const makePlace = (link: NatsLink, store: string): Observable<ThreadPlace> => {
  const { prefix } = link;
  const stream = `${prefix}-threads-${store}`;
  const subjects = `${prefix}.threads.${store}`;
  const bucket = `${prefix}-leases-${store}`;
  return forkJoin({
    made: makeStream(link)({ name: stream, subject: `${subjects}.*`, description: DESCRIPTION }),
    leases: link
      .ensureBucket({ name: bucket, maxBytes: 0, maxAgeMs: LEASE_MS, replicas: 1 })
      .pipe(switchMap((leases) => leaseMsOf(link, bucket).pipe(map((leaseMs) => ({ leases, leaseMs }))))),
  }).pipe(
    map(({ leases }) => ({
      link,
      stream,
      subjects,
      subjectOf: (id: string) => `${subjects}.${toToken(id)}`,
      address: addressOf(link, store),
      ...leases,
    })),
  );
};

/** The lease time of the bucket on the server applies to all processes. */
const leaseMsOf = (link: NatsLink, bucket: string): Observable<number> =>
  link
    .findStream(`KV_${bucket}`)
    .pipe(map((facts) => (facts === undefined || facts.maxAgeMs === 0 ? LEASE_MS : facts.maxAgeMs)));

/** Makes a ThreadError of a NatsError, with the store's address; passes other errors on. */
export const inNats = <T>(address: string): MonoTypeOperatorFunction<T> =>
  catchError((error: unknown) =>
    throwError(() => (error instanceof NatsError ? new ThreadError(faultText(address, error)) : error)),
  );

const faultText = (address: string, { kind, message }: NatsError): string =>
  `The thread store ${address} cannot be used: ${message}.${REMEDIES[kind] ?? ''}`;

const REMEDIES: Partial<Record<NatsError['kind'], string>> = {
  unreachable: ' Check the address in thread_store of config.toml.',
  timeout: ' Call again when the server answers.',
  noResponder: ' Call again in some seconds.',
  address: ' Set thread_store in config.toml.',
};

/** `size` in bytes, with this message. */
export type ThreadFacts = Omit<ThreadSummary, 'id' | 'path' | 'writtenMs'>;

const THREAD = 'Codex-Rx-Thread';
const HOLDER = 'Codex-Rx-Holder';
const MAX_CHARS = 4_096;

/** The headers of a message; `from` is the process that writes it. In ASCII, as a header has no other encoding. */
export const toThreadHeaders = (facts: ThreadFacts, from: { host: string; pid: number }): NatsHeaders => {
  const { startedMs, archived, size, cwd, provider, source, cliVersion, preview } = facts;
  return {
    [THREAD]: toAscii({
      startedMs,
      archived,
      size,
      cwd: cwd.slice(0, MAX_CHARS),
      provider,
      source,
      cliVersion,
      preview,
    }),
    [HOLDER]: toAscii({ host: from.host, pid: from.pid }),
  };
};

/** False for a message that no daemon wrote: whoever may send requests to JetStream can have the response sent to the subject of a thread. */
export const isOfThread = (headers: NatsHeaders): boolean => headers[THREAD] !== undefined;

/** Reads the headers of a message; what they lack is '', 0 or false. */
export const readThreadFacts = (headers: NatsHeaders): ThreadFacts => {
  const { startedMs, archived, size, ...texts } = parseObject(headers[THREAD] ?? '') ?? {};
  const { cwd, provider, source, cliVersion, preview } = texts;
  return {
    startedMs: numberOf(startedMs),
    archived: archived === true,
    size: numberOf(size),
    cwd: textOf(cwd),
    provider: textOf(provider),
    source: textOf(source),
    cliVersion: textOf(cliVersion),
    preview: textOf(preview),
  };
};

/** The process that wrote a message; undefined if it does not say so. */
export const readWriter = (headers: NatsHeaders): { host: string; pid: number } | undefined => {
  const { host, pid } = parseObject(headers[HOLDER] ?? '') ?? {};
  return typeof host === 'string' && typeof pid === 'number' ? { host, pid } : undefined;
};

const toAscii = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);
