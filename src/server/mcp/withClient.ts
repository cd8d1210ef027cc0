/** The client of a connection: its revision, its capabilities, the revision of each request; requests of the server wait until the handshake is over. */
import {
  concat,
  connect,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  switchMap,
  take,
  takeUntil,
  takeWhile,
} from 'rxjs';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Message,
  type Outgoing,
  type Request,
  RpcError,
} from '../../protocol/jsonrpc/messages';
import {
  LEGACY_VERSIONS,
  MCP_LOG_LEVELS,
  type McpLogLevel,
  META_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_VERSION,
  MODERN_VERSION,
  NEWEST_LEGACY,
  SUPPORTED_VERSIONS,
  UNSUPPORTED_VERSION,
} from '../../protocol/mcp/mcp';
import { readInitialize } from '../../protocol/mcp/readParams';
import { clipName } from '../../protocol/rpc/failureOutcome';
import { gather, mapAccum } from '../../streams/gather';
import type { ClientInfo, Era } from '../faces/clientInfo';

/** What the connection has shown so far. */
export type Client = {
  /** Set by `initialize`. */
  version?: string;
  /** True after a request of 2026-07-28. */
  modern: boolean;
  /** For legacy requests of the connection. */
  era: Era;
};

/** A message, and what is known of its client. */
export type Incoming = { message: Message; client: Client };

const UNKNOWN: Client = { modern: false, era: { modern: false, capabilities: {} } };

/** Each message with what is known of the client after it. The client stays the same object as long as nothing new is known. */
export const withClient = (): OperatorFunction<Message, Incoming> => (message$) =>
  message$.pipe(
    scan<Message, Incoming, { client: Client }>(
      ({ client }, message) => (message.kind === 'request' ? receive(client, message) : { message, client }),
      { client: UNKNOWN },
    ),
  );

/** A second handshake is rejected and changes nothing. Source: Codex 0.28.0, tape proto-second-initialize. */
const receive = (client: Client, request: Request): Incoming => {
  const { id, batch, method, params } = request;
  const isSecond = method === 'initialize' && client.version !== undefined && !isModern(params);
  return isSecond
    ? {
        message: { kind: 'fault', id, batch, code: INVALID_REQUEST, message: 'initialize called more than once' },
        client,
      }
    : { message: request, client: withRequest(client, request) };
};

const withRequest = (client: Client, { method, params, batch }: Request): Client => {
  if (isModern(params)) return client.modern ? client : { ...client, modern: true };
  if (method === 'initialize' && !batch) return withHandshake(client, params);
  return client;
};

const withHandshake = (client: Client, params: JsonObject): Client => {
  try {
    const { protocolVersion, capabilities, clientInfo } = readInitialize(params);
    const version = agreedVersion(protocolVersion);
    return { ...client, version, era: { modern: false, capabilities, revision: version, client: toInfo(clientInfo) } };
  } catch {
    return client;
  }
};

/** The version to answer `initialize` with: the requested version, or the newest with this handshake. */
export const agreedVersion = (asked: string): string =>
  (LEGACY_VERSIONS as readonly string[]).includes(asked) ? asked : NEWEST_LEGACY;

/** True for the params of a request of 2026-07-28. */
export const isModern = (params: JsonObject): boolean =>
  isObject(params._meta) && (META_VERSION in params._meta || META_CAPABILITIES in params._meta);

const isLogLevel = (level: unknown): level is McpLogLevel => MCP_LOG_LEVELS.includes(level as McpLogLevel);

/**
 * The era of one request. A request that names no revision is legacy, unless the client began with a modern request and never sent `initialize`.
 * Throws RpcError if a modern request lacks what its revision demands.
 * Source: 2026-07-28 basic "_meta", basic/versioning.
 */
export const eraOf = ({ method, params }: Request, client: Client): Era => {
  if (isModern(params)) return modernEra(params._meta as JsonObject);
  if (client.modern && client.version === undefined && method !== 'initialize') {
    throw new RpcError(INVALID_PARAMS, `Invalid params: params._meta.${META_VERSION} is missing`);
  }
  return client.era;
};

const modernEra = (meta: JsonObject): Era => {
  const { [META_VERSION]: version, [META_CAPABILITIES]: capabilities, [META_LOG_LEVEL]: logLevel } = meta;
  if (typeof version !== 'string') throw badMeta(META_VERSION, 'a string');
  if (version !== MODERN_VERSION) {
    const requested = clipName(version);
    const data = { supported: SUPPORTED_VERSIONS, requested };
    throw new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested}`, data);
  }
  if (!isObject(capabilities)) throw badMeta(META_CAPABILITIES, 'an object');
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw badMeta(META_LOG_LEVEL, `one of ${MCP_LOG_LEVELS.join(', ')}`);
  }
  return { modern: true, capabilities, revision: version, client: toInfo(meta[META_CLIENT_INFO]), logLevel };
};

const toInfo = (info: unknown): ClientInfo | undefined => {
  const { name, version } = isObject(info) ? info : {};
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '' } : undefined;
};

const badMeta = (key: string, expected: string): RpcError =>
  new RpcError(INVALID_PARAMS, `Invalid params: params._meta.${key} must be ${expected}`);

/** How long a request waits for a client that never sends `notifications/initialized`. */
const HANDSHAKE_WAIT_MS = 5_000;

type HoldDeps = {
  /** The messages of the client; hot. */
  incoming$: Observable<Incoming>;
  /** Emits once, after that time. */
  after: (ms: number) => Observable<unknown>;
};

/** `opened` by `initialize`; `ready` by `notifications/initialized`, or when the wait is over. */
type Handshake = { kind: 'opened' } | { kind: 'ready' };

/**
 * Holds requests, but no ping, from `initialize` to `notifications/initialized`, at most five seconds from the first of them on. A held request that is
 * withdrawn is never sent. All else passes at once. Completes and errors with the source; what is held then is dropped.
 *   incoming  i-----n---     (i initialize, n notifications/initialized)
 *   in        -R-Qe---P-|    (R the response, Q and P requests, e an event)
 *   out       -R--e-Q-P-|
 */
export const holdRequests = ({ incoming$, after }: HoldDeps): MonoTypeOperatorFunction<Outgoing> =>
  connect((message$) => {
    const waited$ = message$.pipe(
      filter(isHeld),
      take(1),
      switchMap(() => after(HANDSHAKE_WAIT_MS)),
      map((): Handshake => ({ kind: 'ready' })),
    );
    const handshake$ = incoming$.pipe(
      toHandshake(),
      switchMap((change) => concat(of(change), change.kind === 'opened' ? waited$ : EMPTY)),
      takeWhile(({ kind }) => kind === 'opened', true),
      takeUntil(message$.pipe(ignoreElements(), endWith(undefined))),
    );
    return merge(handshake$, message$).pipe(hold());
  });

const isHeld = (message: Outgoing): message is Request => message.kind === 'request' && message.method !== 'ping';

const toHandshake = () =>
  mapAccum<boolean, Incoming, Handshake>((isOpen, { message, client }) => {
    if (isOpen) return { state: true, ...(isInitialized(message) && { output: { kind: 'ready' } }) };
    return client.version === undefined ? { state: false } : { state: true, output: { kind: 'opened' } };
  }, false);

const isInitialized = (message: Message): boolean =>
  message.kind === 'batch'
    ? message.messages.some(isInitialized)
    : message.kind === 'notification' && message.method === 'notifications/initialized';

const hold = () =>
  gather<Handshake | Outgoing, Outgoing>(() => {
    let held: readonly Request[] | undefined; // undefined while requests pass
    return {
      next: (item, emit) => {
        if (item.kind === 'opened') held = [];
        else if (item.kind === 'ready') {
          held?.forEach(emit);
          held = undefined;
        } else if (held === undefined) emit(item);
        else if (isHeld(item)) held = [...held, item];
        else {
          const left = withoutWithdrawn(held, item);
          if (left.length === held.length) emit(item);
          held = left;
        }
      },
    };
  });

const withoutWithdrawn = (held: readonly Request[], item: Outgoing): readonly Request[] =>
  item.kind === 'notification' && item.method === 'notifications/cancelled'
    ? held.filter(({ id }) => id !== item.params.requestId)
    : held;
