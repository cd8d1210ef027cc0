/** One request and its response on a connection. */
import type { Subscriber } from 'rxjs';
import type { Backpressure } from '../../../streams';
import type { HttpResponse } from '../httpRequest';
import { statusTextOf } from '../nodeHttp';
import type { Connection } from './connections';
import { type ResponseBody, responseBody } from './responseBody';
import type { ResponseHead } from './responseHead';
import { type ResponsePiece, responseReader } from './responseReader';

/**
 * @param backpressure after a chunk the connection pauses while `isFull()`, until `drain$` emits
 * @param keep takes the connection after a complete response
 * @param failed gets the error of a request that has no response; `isUnanswered`: no byte was received
 */
export type ExchangeDeps = {
  connection: Connection;
  backpressure: Backpressure;
  subscriber: Subscriber<HttpResponse>;
  keep: (connection: Connection) => void;
  failed: (failure: { error: NodeJS.ErrnoException; isUnanswered: boolean }) => void;
};

/**
 * Reads the response to a request that is written to the connection; see httpPost for what the subscriber gets. Returns a function that ends the
 * request: at once, or after 100 ms when a response has begun.
 */
export const exchange = (deps: ExchangeDeps): (() => void) => {
  const { connection, keep } = deps;
  const reader = responseReader();
  let isReleased = false;
  const release = ({ isReusable }: End): void => {
    if (isReleased) return;
    isReleased = true;
    connection.use(undefined);
    if (isReusable && isSent(connection)) keep(connection);
    else connection.socket.destroy();
  };
  const { pass, fail, leave } = incomingResponse(deps, release);
  connection.use({
    data: (bytes) => pass(reader.read(bytes)),
    end: () => pass(reader.close()),
    error: fail,
  });
  return leave;
};

/** A server may respond before it has read the whole request, and read no more of it; then another request behind the rest would not arrive. */
const isSent = ({ socket }: Connection): boolean => socket.writableLength === 0;

type End = NonNullable<ResponsePiece['end']>;
const LAST: End = { isReusable: false };

/** `leave`: the response is not read any more. */
type IncomingResponse = { pass: (piece: ResponsePiece) => void; fail: (error: Error) => void; leave: () => void };

/** @param release releases the connection, before the end is passed on, so that a request that follows can use it */
const incomingResponse = (deps: ExchangeDeps, release: (end: End) => void): IncomingResponse => {
  const { subscriber, failed } = deps;
  let isUnanswered = true;
  let body: ResponseBody | undefined; // from the head on
  const close = (end: End): void => {
    body?.closeSource();
    release(end);
  };
  const late = (): void => {
    close(LAST);
    subscriber.complete();
  };
  const pass = ({ head, body: bytes, end, error }: ResponsePiece): void => {
    if (error === undefined) isUnanswered = false;
    if (head !== undefined) body = bodyOf(deps, head, late);
    if (end !== undefined) close(end);
    if (head !== undefined && body !== undefined) emitResponse(subscriber, head, body);
    if (end === undefined) body?.next(bytes);
    else body?.end(bytes);
    if (end !== undefined) subscriber.complete();
    if (error !== undefined) fail(error);
  };
  const fail = (error: Error): void => {
    close(LAST);
    if (body === undefined) return void failed({ error, isUnanswered });
    body.error(error);
    subscriber.complete();
  };
  return { pass, fail, leave: () => (body === undefined ? close(LAST) : body.leave()) };
};

const bodyOf = ({ connection, backpressure }: ExchangeDeps, head: ResponseHead, onLate: () => void): ResponseBody => {
  const encoding = head.headers['content-encoding'];
  return responseBody({
    source: connection.socket,
    encoding: encoding === undefined ? undefined : String(encoding),
    backpressure,
    onLate,
  });
};

/** Emits the response. A body that nobody subscribes to while it is emitted is dropped. */
const emitResponse = (
  subscriber: Subscriber<HttpResponse>,
  { status, headers }: ResponseHead,
  body: ResponseBody,
): void => {
  subscriber.next({
    status,
    get statusText() {
      return statusTextOf(status);
    },
    headers,
    body$: body.text$,
  });
  if (!body.isRead()) body.leave();
};
