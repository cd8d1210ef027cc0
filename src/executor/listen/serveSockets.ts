/** The exec-server that listens for WebSockets: many connections, one table of sessions. */
import type { Writable } from 'node:stream';
import { map, merge, mergeMap, type Observable, of, takeUntil, takeWhile } from 'rxjs';
import type { IncomingRequest } from '../../io/http/listenHttp';
import { type Caller, listenSocket } from '../../io/sockets/dialSocket';
import type { ListenAddress } from '../../io/sockets/listenUnix';
import { isOwnProcess } from '../../io/sockets/ownProcess';
import type { Frame } from '../../io/sockets/socket';
import { writeLines } from '../../io/stdio/writeLines';
import { decodeExecRequest, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { type Ended, execServer } from '../server/execServer';
import type { ExecSessions } from '../server/execSessions';
import { openSessions, type SessionsDeps, type SessionsOptions } from './openSessions';
import { MAX_INPUT_QUEUE_BYTES, MAX_MESSAGE_BYTES, MAX_SOURCE_QUEUE_BYTES } from './serveLines';
import { isSameToken } from './token';

type ServeSocketsDeps = SessionsDeps & { stdout: Writable };

type ServeSocketsOptions = SessionsOptions &
  ListenAddress & {
    maxConnections: number;
    /** The token that clients must send. Default: none, and only processes of this user outside of sandboxes can connect. */
    token?: string;
    /** Any user of this machine, and any sandbox with a network, can connect without a token. */
    allowOtherUsers?: boolean;
  };

/** Source: codex exec-server 0.142.0. */
const PING_MS = 30_000;

/** 1002 is a protocol error, 1008 any other refusal. */
const CLOSES: Record<Ended['why'], Frame> = {
  broken: { kind: 'close', code: 1002, reason: 'the client broke the protocol' },
  replaced: { kind: 'close', code: 1008, reason: 'session has been resumed by another connection' },
};
const GOING_AWAY: Frame = { kind: 'close', code: 1001, reason: 'the exec-server ends' };

/**
 * The exec-server at an address, which it prints on stdout as one line. Completes after `stop$` has emitted and every
 * connection has closed; all processes are killed. Errors when it cannot listen. Emits nothing.
 */
export const serveSockets = (deps: ServeSocketsDeps, options: ServeSocketsOptions): Observable<never> => {
  const { stop$, stdout, log } = deps;
  const { host, port, token, allowOtherUsers, maxConnections } = options;
  const sessions = openSessions(deps, options);
  return listenSocket({
    host,
    port,
    authorize: authorizeConnection({
      isToken: token === undefined ? undefined : isSameToken(token),
      isOwnProcess: allowOtherUsers ? () => true : isOwnProcess,
    }),
    maxSockets: maxConnections,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    pingMs: PING_MS,
  }).pipe(
    takeUntil(stop$),
    mergeMap((event) =>
      event.kind === 'bound'
        ? of(event.url).pipe(writeLines(stdout))
        : serveCaller({ sessions, stop$, log }, event.caller),
    ),
  );
};

type CallerDeps = { sessions: ExecSessions; stop$: Observable<unknown>; log: Log };

const serveCaller = ({ sessions, stop$, log }: CallerDeps, caller: Caller): Observable<never> => {
  const served$ = caller.text$(caller.queue(MAX_INPUT_QUEUE_BYTES)).pipe(
    map(decodeExecRequest),
    execServer({
      sessions,
      backpressure: caller.queue(MAX_SOURCE_QUEUE_BYTES),
      isAlive: caller.isThere,
      source: `websocket JSON-RPC message from exec-server websocket ${caller.address}`,
      log,
    }),
    map(toFrame),
  );
  return merge(served$, stop$.pipe(map(() => GOING_AWAY))).pipe(
    takeWhile(({ kind }) => kind === 'text', true),
    caller.write,
  );
};

const toFrame = (item: ExecOutgoing | Ended): Frame =>
  item.kind === 'ended' ? CLOSES[item.why] : { kind: 'text', text: encodeExecMessage(item) };

type AuthorizeDeps = {
  /** Whether a text is the token. Default: no token is needed. */
  isToken?: (text: string) => boolean;
  /** Whether the request comes from a process that may do what this one may; not asked if a token is needed. */
  isOwnProcess: (incoming: IncomingRequest) => boolean;
};

/**
 * The HTTP status of the response to a request, or that it is accepted. A request of a browser has an `Origin` and is refused,
 * so that no web page can use the server.
 * Source: codex exec-server 0.142.0; the token and the check of the process are ours.
 */
export const authorizeConnection =
  ({ isToken, isOwnProcess }: AuthorizeDeps) =>
  (incoming: IncomingRequest): number | 'accepted' => {
    const { upgrade, url, headers } = incoming;
    if (headers.origin !== undefined) return 403;
    const path = url.split('?', 1)[0];
    if (!upgrade && path === '/readyz') return 200;
    if (path !== '/') return 404;
    if (!upgrade) return 400;
    if (isToken !== undefined) return isToken(bearerOf(headers.authorization)) ? 'accepted' : 401;
    return isOwnProcess(incoming) ? 'accepted' : 403;
  };

const bearerOf = (header: string | string[] | undefined): string =>
  /^Bearer +(\S+) *$/i.exec(typeof header === 'string' ? header : '')?.[1] ?? '';
