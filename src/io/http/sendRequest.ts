/** Sends a request with Node's client, straight to its server or through a proxy. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { Observable, type Subscriber } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { inputFirst } from '../../streams/time/limits';
import { type HttpClient, type HttpClientDeps, httpClients } from './httpClients';
import { noHttp, protocolChange, throughProxy, toHttpError } from './httpErrors';
import type { HttpBody, HttpPost, HttpRequest, HttpResponse } from './httpRequest';
import { statusTextOf } from './nodeHttp';
import { responseBody } from './responseBody';

type RequestDeps = {
  client: HttpClient;
  /** After a chunk the response pauses while `isFull()`, until `drain$` emits. */
  backpressure: Backpressure;
  subscriber: Subscriber<HttpResponse>;
};

/** Returns what ends the request. A kept connection that turns out to be closed is replaced by a new one, unless the request `isOnce`. */
const sendRequest = (deps: RequestDeps, request: HttpRequest<HttpBody>): (() => void) => {
  const { client, subscriber } = deps;
  const sent = open(client, request);
  const fail = (error: Error) => subscriber.error(shown(client, error)); // which ends the request
  const lift = limitConnect({
    connectMs: sent.reusedSocket ? undefined : request.connectMs,
    onLate: fail,
    withSocket: (use) => sent.once('socket', use),
  });
  let stop = (): void => {
    lift();
    sent.destroy();
  };
  const isUnanswered = watchBytes(sent);
  const onError = (error: NodeJS.ErrnoException) => {
    const mayRepeat = sent.reusedSocket && isClosed(error) && isUnanswered() && !request.isOnce;
    if (mayRepeat && !subscriber.closed) stop = sendRequest(deps, request);
    else fail(error);
  };
  sent.on('error', onError).on('response', (response) => {
    lift();
    const { statusCode = 0 } = response;
    if (statusCode < 200) return fail(noHttp(`its response has the status ${statusCode}`));
    sent.off('error', onError);
    stop = emitResponse(deps, sent, response);
  });
  refuseInterims(sent, fail);
  sendBody(sent, request.body);
  return () => stop();
};

/** Headers that belong to the connection are set by Node. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'transfer-encoding']);

/** A request that `isOnce` has a connection of its own: the server may be closing a kept one, and nobody could say what it has read. */
const open = (
  { request, target, options, proxyHost }: HttpClient,
  { isOnce, ...own }: HttpRequest<HttpBody>,
): ClientRequest => {
  const headers = Object.fromEntries(
    Object.entries(own.headers).filter(([name]) => !OF_CONNECTION.has(name.toLowerCase())),
  );
  const agent = isOnce && proxyHost === undefined ? { agent: false } : {};
  return request({ ...target, ...options, ...agent, method: own.method ?? 'POST', headers });
};

/** A piece is written when the one before has left: a TLS connection encrypts what it is given at once. */
const sendBody = (sent: ClientRequest, body: HttpBody): void => {
  if (typeof body === 'string' || body.length === 1) return void sent.end(typeof body === 'string' ? body : body[0]);
  sent.setHeader(
    'Content-Length',
    body.reduce((sum, { length }) => sum + length, 0),
  );
  Readable.from(body, { objectMode: false }).pipe(sent);
};

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

/** Whether no byte has come since the request has its connection; a part of a head is an answer too. */
const watchBytes = (sent: ClientRequest): (() => boolean) => {
  let before = 0;
  sent.once('socket', ({ bytesRead }) => {
    before = bytesRead;
  });
  return () => sent.socket?.bytesRead === before;
};

const shown = ({ proxyHost }: HttpClient, error: Error): Error =>
  proxyHost === undefined ? toHttpError(error) : throughProxy(proxyHost, toHttpError(error));

/** Responses with a status of 1xx may come before the final response, and could go on for ever. */
const MAX_INTERIMS = 100;

/** Node ignores a response with a status of 1xx; a change of the protocol ends the request. */
const refuseInterims = (sent: ClientRequest, fail: (error: Error) => void): void => {
  let interims = 0;
  sent.on('information', () => {
    interims += 1;
    if (interims > MAX_INTERIMS) fail(noHttp(`more than ${MAX_INTERIMS} responses with a status of 1xx`));
  });
  sent.on('upgrade', (_response, socket: Duplex) => {
    socket.destroy();
    fail(protocolChange());
  });
};

/** Emits the response. A body that nobody subscribes to while it is emitted is dropped. Returns what leaves the body. */
const emitResponse = (
  { backpressure, subscriber }: RequestDeps,
  sent: ClientRequest,
  response: IncomingMessage,
): (() => void) => {
  const { headers, statusCode: status = 0 } = response;
  const body = responseBody({ sent, response, backpressure });
  response.once('close', () => subscriber.complete());
  subscriber.next({ status, statusText: statusTextOf(status), headers, body$: body.text$ });
  if (!body.isRead()) body.leave();
  return body.leave;
};

/** The code of the error of a connection that takes too long. */
const CONNECT_TIMEOUT = 'ECONNECTTIMEOUT';

type ConnectLimit = {
  /** Undefined or 0 for no limit. */
  connectMs: number | undefined;
  /** Gets the error, of the code `ECONNECTTIMEOUT`; the request goes on until it is ended. */
  onLate: (error: Error) => void;
  /** Calls with the socket of the request, as soon as there is one. */
  withSocket: (use: (socket: Duplex) => void) => void;
};

/**
 * Calls `onLate` for a request that has no connection within `connectMs`: name, proxy and TLS included. Returns what lifts the limit.
 * A request that waits for its proxy has no socket, and would report an error only once it gets one.
 */
export const limitConnect = ({ connectMs, onLate, withSocket }: ConnectLimit): (() => void) => {
  if (!connectMs) return () => {};
  const late = inputFirst.schedule(() => onLate(toError(connectMs)), connectMs);
  const lift = () => late.unsubscribe();
  withSocket((socket) => {
    if (isConnected(socket)) lift();
    else socket.once(isSecure(socket) ? 'secureConnect' : 'connect', lift);
  });
  return lift;
};

const toError = (connectMs: number): Error =>
  Object.assign(new Error(`no connection within ${connectMs / 1000} s`), { code: CONNECT_TIMEOUT });

/** Source: Node 20, tls.TLSSocket: `secureConnecting` while the handshake is under way. */
const isSecure = (socket: Duplex): socket is Duplex & { secureConnecting: boolean } => 'secureConnecting' in socket;

/** An in-memory connection counts as connected. */
const isConnected = (socket: Duplex & { connecting?: boolean }): boolean =>
  !socket.connecting && !(isSecure(socket) && socket.secureConnecting);

type HttpPostDeps = HttpClientDeps & {
  /** After a chunk the response pauses while `isFull()`, until `drain$` emits. */
  backpressure: Backpressure;
};

/**
 * Sends one request.
 * Emits one HttpResponse; completes when its body is over; errors when no response comes, with a TypeError for what is no address, and
 * SetupError for a proxy that cannot be used. A body that breaks errors in `body$`.
 * Unsubscribing, here or from `body$`, ends the request: at once, or after 100 ms when a response has begun.
 */
export const httpPost = ({ backpressure, env }: HttpPostDeps): HttpPost<HttpBody> => {
  const clientOf = httpClients({ env });
  return (request) =>
    new Observable<HttpResponse>((subscriber) =>
      sendRequest({ client: clientOf(request.url), backpressure, subscriber }, request),
    );
};
