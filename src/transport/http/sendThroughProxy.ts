/** Sends a request through a proxy, with Node's client and the agents of two packages. */
import type { IncomingMessage } from 'node:http';
import { Observable, type Subscriber } from 'rxjs';
import type { Backpressure } from '../../streams';
import { bodySink } from './bodySink';
import type { HttpClient } from './httpClients';
import type { HttpRequest, HttpResponse } from './httpRequest';
import { limitConnect } from './limitConnect';
import { LINGER_MS } from './lingerMs';
import { statusTextOf } from './nodeHttp';

/** @param backpressure after a chunk the response pauses while `isFull()`, until `drain$` emits */
export type ProxiedDeps = { client: HttpClient; backpressure: Backpressure; subscriber: Subscriber<HttpResponse> };

/** Returns what ends the request. A kept connection that turns out to be closed is replaced by a new one, unless the request `isOnce`. */
export const sendThroughProxy = (deps: ProxiedDeps, request: HttpRequest): (() => void) => {
  const { client, backpressure, subscriber } = deps;
  const { headers, body, method = 'POST', connectMs } = request;
  const sent = client.request({ ...client.target, ...client.options, method, headers });
  const fail = (error: Error) => subscriber.error(throughProxy(client.proxyHost, error));
  const lift = limitConnect({
    connectMs: sent.reusedSocket ? undefined : connectMs,
    onLate: fail,
    withSocket: (use) => sent.once('socket', use),
  });
  let stop = (): void => {
    lift();
    sent.destroy();
  };
  const onError = (error: NodeJS.ErrnoException) => {
    const mayRepeat = sent.reusedSocket && error.code === 'ECONNRESET' && !request.isOnce;
    if (mayRepeat && !subscriber.closed) stop = sendThroughProxy(deps, request);
    else fail(error);
  };
  sent.on('error', onError).on('response', (response) => {
    lift();
    sent.off('error', onError).on('error', () => {}); // from here on the response has the errors
    response.on('error', () => {}).once('close', () => subscriber.complete());
    stop = () => linger(response);
    subscriber.next(toResponse(response, backpressure));
  });
  sent.end(body);
  return () => stop();
};

/** The connection that fails is the one to the proxy, so its error gets a code of its own; any other error keeps its code. */
const throughProxy = (host: string | undefined, { message, code }: NodeJS.ErrnoException): Error =>
  Object.assign(new Error(`through the proxy ${host}: ${message}`), {
    code: code !== undefined && OF_CONNECTIONS.has(code) ? PROXY_FAILED : code,
  });

const OF_CONNECTIONS = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** The code of the error of a request that does not get through a proxy. */
const PROXY_FAILED = 'EPROXY';

const toResponse = (response: IncomingMessage, backpressure: Backpressure): HttpResponse => {
  const { headers, statusCode: status = 0 } = response;
  const body$ = new Observable<string>((subscriber) => {
    const encoding = headers['content-encoding'];
    const sink = bodySink({ source: response, encoding, backpressure, subscriber });
    const onData = (bytes: Buffer) => sink.next([bytes]);
    const onEnd = () => sink.end([]);
    response.on('error', sink.error).on('data', onData).once('end', onEnd);
    return () => {
      response.off('data', onData).off('end', onEnd);
      sink.stop();
      linger(response);
    };
  });
  return { status, statusText: statusTextOf(status), headers, body$ };
};

/**
 * Drains a response for a while: its connection goes back to the agent at its end. A connection that is closed instead makes the
 * next request open a new one, which costs one to three round trips.
 */
const linger = (response: IncomingMessage): void => {
  if (response.closed || response.readableEnded) return;
  response.resume();
  if (response.complete && response.readableLength === 0) return; // all of it has come and was read
  const timer = setTimeout(() => response.destroy(), LINGER_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
};
