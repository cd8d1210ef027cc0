/** Sends messages to an MCP server over HTTP and reads its streams: one session, in either transport. */
import {
  catchError,
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  finalize,
  type MonoTypeOperatorFunction,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  scan,
  switchMap,
  take,
  takeUntil,
  timer,
} from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { muted } from '../../streams/ends';
import { inputFirst } from '../../streams/time/limits';
import type { HttpResponse } from '../http/httpRequest';
import { isInitialize, isInitialized, remedyOf } from '../mcpHttp/exchange';
import { clientMemory } from './clientMemory';
import { get, type HttpClientDeps, olderStream, sessionStream, toEvent, type Wires } from './clientStreams';
import { cancelledBy, withoutAnswered } from './endings';
import type { McpEvent } from './failures';
import { type ResponsePart, readResponse } from './readResponse';
import { resumed } from './resumed';

/** One session with an MCP server over HTTP. */
export type McpHttpClient = {
  /** Sends a line and emits the response to it; `initialize` begins a new session. */
  post: (line: string) => Observable<McpEvent>;
  /** What the server sends without a request. */
  stream$: Observable<McpEvent>;
  /** The id of the session, if the server has assigned one. */
  session: () => string | undefined;
  /** Ends the session. */
  end: () => Observable<never>;
};

/** Makes the client. Nothing is sent before `post`. */
export const httpClient = (deps: HttpClientDeps): McpHttpClient => {
  const wires: Wires = { ...deps, memory: clientMemory(deps.url), open$: new Subject(), endpoint$: new Subject() };
  return {
    post: (line) => concat(post(wires, line), opening(wires, line)).pipe(catchError((error) => failed(wires, error))),
    stream$: wires.open$.pipe(
      switchMap((kind) => (kind === 'older' ? olderStream(wires) : sessionStream(wires))),
      catchError((error) => failed(wires, error)),
    ),
    session: wires.memory.sessionId,
    end: () => defer(() => (wires.memory.sessionId() === undefined ? EMPTY : endSession(wires))),
  };
};

/** Statuses with which a server that has the older transport rejects a message at its address. Source: MCP 2025-11-25, backwards compatibility. */
const OLDER = new Set([400, 404, 405]);

const post = (wires: Wires, line: string): Observable<McpEvent> => {
  const { send, memory } = wires;
  const headers = isInitialize(line) ? undefined : memory.headers(); // of the session that the response belongs to
  return send({ url: memory.postUrl(), headers: memory.postHeaders(line), body: line, isOnce: isCall(line) }).pipe(
    mergeMap((response) => {
      const mayBeOlder = !memory.isReached() && OLDER.has(response.status);
      memory.learn(response, line);
      if (mayBeOlder)
        return readResponse(response).pipe(
          mergeMap((part) => (part.kind === 'failed' ? postOlder(wires, line) : toEvent(wires, part))),
        );
      const requests = isAccepted(wires, response) ? [] : requestsIn(line);
      return readResponse(response).pipe(
        resumed({ get: (lastEventId) => get(wires, { lastEventId, headers }), requests }),
        untilAnswered(requests),
        mergeMap((part) => toEvent(wires, part)),
      );
    }),
  );
};

/** Opens the stream of the older transport, and sends the line to the endpoint that the stream names. */
const postOlder = (wires: Wires, line: string): Observable<McpEvent> =>
  merge(
    wires.endpoint$.pipe(
      take(1),
      mergeMap(() => post(wires, line)),
    ),
    defer(() => {
      wires.open$.next('older');
      return EMPTY;
    }),
  );

/** True if the response comes in another stream. */
const isAccepted = ({ memory }: Wires, { status }: HttpResponse): boolean => status === 202 || memory.isOlder();

/** A tool may have an effect each time it is called, so a call is not repeated. */
const isCall = (line: string): boolean =>
  parseLine(line).messages.some((message) => message.kind === 'request' && message.method === 'tools/call');

const requestsIn = (line: string): RequestId[] =>
  parseLine(line).messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));

/** The stream of a session is opened once the handshake is over. */
const opening = ({ memory, open$ }: Wires, line: string): Observable<never> =>
  defer(() => {
    if (isInitialized(line) && !memory.isOlder()) open$.next('session');
    return EMPTY;
  });

const endSession = ({ send, url, memory }: Wires): Observable<never> =>
  send({ url, method: 'DELETE', headers: memory.headers(), body: '' }).pipe(
    mergeMap(({ body$ }) => body$),
    muted(), // the session may be over
  );

const failed = ({ name, memory }: Wires, error: Error): Observable<McpEvent> => {
  const line = `${name} cannot be reached: ${error.message.trim()}`; // OpenSSL ends a text with a line break
  return of(
    memory.isReached() ? { kind: 'log', line } : { kind: 'ended', trouble: `${line}; ${remedyOf(error.message)}` },
  );
};

/** How long, in ms, a server may still send messages after the last response. */
const BEHIND_MS = 1_000;

/**
 * Passes the parts of a response stream, until a second after the last of its requests has its response. A server should end the stream then; a server that
 * does not would keep a connection open for each request. Without requests, all parts pass.
 *   in   -a--b------    (a, b the responses)
 *   out  -a--b 999ms |
 * Source: MCP 2025-11-25, Streamable HTTP, Sending Messages to the Server.
 */
export const untilAnswered = (requests: readonly RequestId[]): MonoTypeOperatorFunction<ResponsePart> =>
  connect((part$) =>
    part$.pipe(
      takeUntil(
        part$.pipe(
          scan(withoutAnswered, requests),
          filter((left) => requests.length > 0 && left.length === 0),
          take(1),
          switchMap(() => timer(BEHIND_MS, inputFirst)),
        ),
      ),
    ),
  );

/**
 * A client that stops reading the response to a request once the server has accepted its cancellation, or nobody waits for that any longer. The server
 * need not respond then, and its connection would stay open for as long as the session lives.
 *   post c  c---      (c a call)
 *   post x   -|       (x its cancellation, which the server accepts)
 *   c is unsubscribed
 *           --!
 */
export const endCancelled = (client: McpHttpClient): McpHttpClient => {
  const cancelled$ = new Subject<unknown>(); // the wire from cancellations whose response is over to the requests that they cancel
  const untilCancelled = (id: unknown): MonoTypeOperatorFunction<McpEvent> =>
    takeUntil(cancelled$.pipe(filter((cancelled) => cancelled === id)));
  const post: McpHttpClient['post'] = (line) => {
    const [message, ...others] = parseLine(line).messages;
    if (others.length > 0) return client.post(line);
    if (message?.kind === 'request') return client.post(line).pipe(untilCancelled(message.id));
    const id = message?.kind === 'notification' ? cancelledBy(message) : undefined;
    return id === undefined ? client.post(line) : client.post(line).pipe(finalize(() => cancelled$.next(id)));
  };
  return { ...client, post };
};
