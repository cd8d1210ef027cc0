/**
 * Relays HTTP between clients and a server behind a URL, and emits a copy of the bytes of both. Own code: relaying is part of the recorder, which copies
 * both bodies in the order in which they pass; `http-proxy` has had no release since 2020.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type Readable, Transform, type Writable } from 'node:stream';
import { Observable, type Subscriber } from 'rxjs';
import { type HttpClient, httpClients } from './httpClients';
import type { HttpHeaders } from './httpRequest';
import { type HttpListenDeps, httpListener, refuse } from './listenHttp';

/** What a relay emits; `id` numbers requests. */
export type HttpRelayEvent =
  /** `url` is path and query. */
  | { kind: 'request'; id: number; method: string; url: string; headers: HttpHeaders }
  | { kind: 'response'; id: number; status: number; headers: HttpHeaders }
  | { kind: 'chunk'; id: number; dir: 'in' | 'out'; chunk: Uint8Array }

  /** A message of the response is not passed as it is: which, from 0, and what happens to it. Comes before the chunk that completes the message. */
  | { kind: 'injected'; id: number; message: number; injected: string }

  /** The body of that direction is complete. */
  | { kind: 'ended'; id: number; dir: 'in' | 'out' }

  /** The last event of a request, with `trouble` if the server could not be reached. */
  | { kind: 'closed'; id: number; trouble?: string };

type HttpRelayDeps = HttpListenDeps & {
  /** The server; paths are relayed as they are. */
  target: URL;
  /** Proxies and certificates for the way to it. */
  env: Readonly<Record<string, string | undefined>>;
  /** How the body of a response of this type is passed in a way of its own; undefined if it is passed as it is. */
  join?: (type: string) => ((from: Readable, to: Writable) => Observable<BodyFault>) | undefined;
};

type BodyFault = Omit<Extract<HttpRelayEvent, { kind: 'injected' }>, 'kind' | 'id'>;

/** Headers that are not relayed: they belong to one connection, or are set here. A compressed body could not be read here. */
const OWN_HEADERS =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|expect|accept-encoding)$/;

/**
 * Emits the address it listens at, then what is relayed: a slow reader slows the writer, and the loss of either side ends
 * the other. Addresses of the server in redirects and in the first event of an event stream become those of this listener. Errors when it
 * cannot listen, and with SetupError. Unsubscribing ends all connections.
 */
export const relayHttp = (deps: HttpRelayDeps): Observable<HttpRelayEvent | { kind: 'bound'; url: string }> =>
  new Observable((subscriber) => {
    const client = httpClients(deps)(deps.target.href);
    let requests = 0; // numbers the requests
    return httpListener(deps, {
      onBound: (url) => subscriber.next({ kind: 'bound', url }),
      onError: (error) => subscriber.error(error),
      onRequest: (request, response) => {
        if (!request.url?.startsWith('/')) return void refuse(request, response, 400);
        relay({ client, target: deps.target, join: deps.join, subscriber, id: requests++ }, request, response);
      },
    });
  });

type Relaying = Pick<HttpRelayDeps, 'target' | 'join'> & {
  client: HttpClient;
  subscriber: Subscriber<HttpRelayEvent>;
  id: number;
};

const relay = (relaying: Relaying, request: IncomingMessage, response: ServerResponse): void => {
  const { client, target, subscriber, id } = relaying;
  const { method = '', url = '', headers } = request;
  subscriber.next({ kind: 'request', id, method, url, headers });
  const own = { ...withoutOwn(headers), ...framingOf(headers), host: target.host, 'accept-encoding': 'identity' };
  const sent = client.request(`${target.origin}${url}`, { ...client.options, method, headers: own });
  request.pipe(sent);
  copy(relaying, 'in', request);
  let trouble: string | undefined;
  const end = (reason: string): void => {
    trouble ??= reason;
    fail(response, `codex-rx record: ${target.origin} cannot be reached: ${trouble}\n`);
  };
  sent.on('error', ({ message, code }: NodeJS.ErrnoException) => end(message || code || 'the connection failed'));
  sent.on('upgrade', (_received, socket) => {
    socket.destroy();
    end('it switched to a protocol that was not asked for');
  });
  sent.on('response', (received) => {
    if (isFinal(received)) respond(relaying, received, response);
    else end(`it responded with the status ${received.statusCode}, which HTTP does not have`);
  });
  response.on('close', () => {
    sent.destroy();
    subscriber.next({ kind: 'closed', id, ...(trouble !== undefined && { trouble }) });
  });
};

/** A body without a length is framed again: Node frames no body of a GET, which the server would read as another request. Source: RFC 9112, 11.2. */
const framingOf = (headers: HttpHeaders): OutgoingHttpHeaders =>
  headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };

/** Node's parser takes any number for a status, and its server throws for one below 100. */
const isFinal = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200;

const fail = (response: ServerResponse, text: string): void => {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(text);
};

const respond = (relaying: Relaying, received: IncomingMessage, response: ServerResponse): void => {
  const { target, subscriber, id, join } = relaying;
  const { statusCode: status = 502, headers } = received;
  const own = join?.(headers['content-type'] ?? '');
  const location = headers.location?.startsWith(target.origin) && headers.location.slice(target.origin.length);
  const { 'content-length': length, ...others } = withoutOwn(headers);
  const sized = own === undefined && length !== undefined ? { 'content-length': length } : {};
  response.writeHead(status, { ...others, ...sized, ...(location && { location }) });
  response.flushHeaders();
  subscriber.next({ kind: 'response', id, status, headers });
  received.on('error', () => response.destroy());
  const isEvents = headers['content-type']?.startsWith('text/event-stream') === true;
  const body = isEvents ? received.pipe(withoutOrigin(target.origin)) : received;
  if (own === undefined) body.pipe(response);
  else joinBy(relaying, response, own(body, response));
  copy(relaying, 'out', body);
};

/** Its listeners come before those of the copy, so that a fault is known before its message. */
const joinBy = ({ subscriber, id }: Relaying, response: ServerResponse, fault$: Observable<BodyFault>): void => {
  const passing = fault$.subscribe({
    next: (fault) => subscriber.next({ kind: 'injected', id, ...fault }),
    error: (error) => subscriber.error(error),
    complete: () => response.end(),
  });
  response.on('close', () => passing.unsubscribe());
};

/** Joined before it is read here, so that a byte is relayed before its copy is emitted. */
const copy = ({ subscriber, id }: Relaying, dir: 'in' | 'out', body: NodeJS.ReadableStream): void => {
  body
    .on('data', (chunk: Uint8Array) => subscriber.next({ kind: 'chunk', id, dir, chunk }))
    .on('end', () => subscriber.next({ kind: 'ended', id, dir }));
};

const withoutOwn = (headers: HttpHeaders): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name)));

/** The event that the older HTTP transport of MCP begins with. Source: MCP 2024-11-05, HTTP with SSE. */
const ENDPOINT = /^(?:\ufeff)?event: ?endpoint\r?\ndata: ?/;

/** Passes bytes; takes the origin out of the address in the first chunk, if that is the event `endpoint`. */
export const withoutOrigin = (origin: string): Transform => {
  let isFirst = true;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const text = isFirst ? chunk.toString('utf8') : '';
      isFirst = false;
      const [head] = ENDPOINT.exec(text) ?? [''];
      const isOwn = head !== '' && text.startsWith(origin, head.length);
      done(null, isOwn ? head + text.slice(head.length + origin.length) : chunk);
    },
  });
};
