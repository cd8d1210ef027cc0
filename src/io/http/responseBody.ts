/** The body of a response: its text for a reader; without a reader it is dropped. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { Observable } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { pauseWhileFull } from '../stdio/fromInput';
import { toHttpError } from './httpErrors';

type ResponseBodyDeps = {
  /** The request, which reports why its response broke off. */
  sent: ClientRequest;
  response: IncomingMessage;
  backpressure: Backpressure;
};

/** `text$` is to be subscribed once, and errors after `leave`. */
type ResponseBody = {
  text$: Observable<string>;
  isRead: () => boolean;
  /** Nobody reads what is left. */
  leave: () => void;
};

/** The body of a response, which pauses while the queue ahead is full. */
export const responseBody = ({ sent, response, backpressure }: ResponseBodyDeps): ResponseBody => {
  let state: 'waiting' | 'read' | 'left' = 'waiting';
  let cause: Error | undefined;
  sent.on('error', (error) => {
    cause = error;
  });
  response.on('error', () => {}); // its reader, if there is one, gets it
  const leave = (): void => {
    state = 'left';
    linger(response);
  };
  const text$ = new Observable<string>((subscriber) => {
    if (state !== 'waiting') return subscriber.error(new Error(TOO_LATE));
    state = 'read';
    const body = decompressed(response, response.headers['content-encoding']);
    const read = readText(body, backpressure).subscribe({
      next: (text) => subscriber.next(text),
      error: (error) => subscriber.error(toHttpError(cause ?? error)),
      complete: () => subscriber.complete(),
    });
    return () => {
      read.unsubscribe();
      response.unpipe();
      if (body !== response) body.destroy(); // a few bytes can take more than a minute to unpack
      leave();
    };
  });
  return { text$, isRead: () => state === 'read', leave };
};

const TOO_LATE = 'the body of a response was read too late: it is dropped';

/**
 * Emits the text of a stream of UTF-8 as it comes; pauses it while the queue ahead is full. Completes at its end and errors with it.
 * Unsubscribing leaves the stream as it is: whoever made it decides what becomes of the rest.
 */
const readText = (body: Readable, backpressure: Backpressure): Observable<string> =>
  new Observable<string>((subscriber) => {
    const pressure = pauseWhileFull(backpressure, body);
    const onData = (text: string) => {
      subscriber.next(text);
      if (!subscriber.closed) pressure.check();
    };
    body.once('error', (error) => subscriber.error(error));
    body.once('end', () => subscriber.complete());
    body.setEncoding('utf8').on('data', onData);
    return () => {
      pressure.stop();
      body.off('data', onData);
    };
  });

/** How long a response that nobody reads may take to end before its connection is closed instead of kept. */
const LINGER_MS = 100;

/** Drains a response for a while, so that its connection can be used again, which saves one to three round trips. */
const linger = (response: IncomingMessage): void => {
  if (response.closed || response.readableEnded) return;
  response.resume();
  if (response.complete && response.readableLength === 0) return; // all of it has come and was read
  const timer = setTimeout(() => response.destroy(), LINGER_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
};

/**
 * Some servers and proxies compress without a request for it. The body is not destroyed with the result: the rest of it may be read without.
 * @param encoding as the header of the response names it
 */
export const decompressed = (body: Readable, encoding: string | undefined): Readable => {
  const decoder = toDecoder(encoding?.trim().toLowerCase());
  if (decoder === undefined) return body;
  body.once('error', (error) => decoder.destroy(error)); // whose reader gets it
  return body.pipe(decoder);
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

/** Loaded by the first compressed response. */
const zlib = lazy(() => require('node:zlib') as typeof import('node:zlib'));
