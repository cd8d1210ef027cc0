/** The HTTP edge: one POST, its answer as a stream of text, decompressed. Knows nothing of models. */
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { Observable, type Subscriber, take } from 'rxjs';
import { lazy } from '../lazy';
import type { Backpressure } from '../streams';
import { http, https } from './nodeHttp';

/** One POST; header names in lower case, `body` is sent as UTF-8. */
export type HttpRequest = { url: string; headers: Record<string, string>; body: string };

/** The head of an answer; `body$` is its text as it arrives, to be subscribed once and at once. Header names are lower case. */
export type HttpAnswer = {
  status: number;
  statusText: string;
  headers: Record<string, string | string[] | undefined>;
  body$: Observable<string>;
};

/** Sends nothing before it is subscribed; each subscription is a request of its own. */
export type HttpPost = (request: HttpRequest) => Observable<HttpAnswer>;

/** How long an answer nobody listens to any more may take to end, so that its connection can be used again. */
const LINGER_MS = 100;

/**
 * Sends one POST and tells the answer.
 * @param backpressure after a chunk the answer pauses while `isFull()`, until `drain$` emits
 * Emits one HttpAnswer; completes when its body is over; errors when no answer comes. A body that breaks errors in `body$`.
 * Unsubscribing, here or from `body$`, ends the request: at once, or after 100 ms when an answer has begun.
 * Source: Node 20, http.Agent; a connection closed by the server while idle shows as ECONNRESET on a reused socket.
 */
export const httpPost = ({ backpressure }: { backpressure: Backpressure }): HttpPost => {
  const plain = lazy(() => withAgent(http()));
  const secure = lazy(() => withAgent(https()));
  return (request) =>
    new Observable<HttpAnswer>((subscriber) => {
      const door = request.url.startsWith('https:') ? secure() : plain();
      return send(door, request, backpressure, subscriber);
    });
};

type Http = Pick<typeof import('node:http'), 'request'>;
type Door = Http & { agent: Agent };

const withAgent = ({ request, Agent: Pool }: Http & { Agent: typeof Agent }): Door => ({
  request,
  agent: new Pool({ keepAlive: true }),
});

const send = (
  door: Door,
  request: HttpRequest,
  backpressure: Backpressure,
  subscriber: Subscriber<HttpAnswer>,
): (() => void) => {
  const sent: ClientRequest = door.request(request.url, {
    method: 'POST',
    headers: request.headers,
    agent: door.agent,
  });
  let stop = (): void => {
    sent.destroy();
  };
  const onError = (error: NodeJS.ErrnoException) => {
    if (sent.reusedSocket && error.code === 'ECONNRESET' && !subscriber.closed) {
      stop = send(door, request, backpressure, subscriber); // the idle connection was gone; a fresh one decides
    } else {
      subscriber.error(error);
    }
  };
  sent.on('error', onError).on('response', (response) => {
    const status = response.statusCode as number;
    sent.off('error', onError).on('error', () => {}); // from here on the response tells
    response.on('error', () => {}).once('close', () => subscriber.complete());
    stop = () => linger(response);
    subscriber.next({
      status,
      statusText: http().STATUS_CODES[status] ?? response.statusMessage ?? '',
      headers: response.headers,
      body$: readText(response, backpressure),
    });
  });
  sent.end(request.body);
  return () => stop();
};

const readText = (response: IncomingMessage, backpressure: Backpressure): Observable<string> =>
  new Observable<string>((subscriber) => {
    const body = decompressed(response);
    const onData = (text: string) => {
      subscriber.next(text);
      if (!subscriber.closed && backpressure.isFull()) {
        body.pause();
        subscriber.add(backpressure.drain$.pipe(take(1)).subscribe(() => body.resume()));
      }
    };
    body.once('error', (error) => subscriber.error(error));
    body.once('end', () => subscriber.complete());
    body.setEncoding('utf8').on('data', onData);
    return () => {
      body.off('data', onData);
      linger(response);
    };
  });

/** Some servers and proxies compress though nobody asked for it. */
const decompressed = (response: IncomingMessage): Readable => {
  const decoder = toDecoder(response.headers['content-encoding']?.trim().toLowerCase());
  if (decoder === undefined) return response;
  pipeline(response, decoder, () => {}); // an error of the response becomes one of the decoder, whose reader gets it
  return decoder;
};

const toDecoder = (encoding: string | undefined): Duplex | undefined => {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib().createGunzip();
    case 'deflate':
      return zlib().createInflate();
    case 'br':
      return zlib().createBrotliDecompress();
    default:
      return undefined;
  }
};

/** Loaded by the first compressed answer. */
const zlib = lazy(() => require('node:zlib') as typeof import('node:zlib'));

/** A connection whose answer was read to its end goes back to the agent; a closed one is dialled anew, which costs a round trip or three. */
const linger = (response: IncomingMessage): void => {
  if (response.closed || response.readableEnded) return;
  response.resume();
  const timer = setTimeout(() => response.destroy(), LINGER_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
};
