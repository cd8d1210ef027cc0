/** Sends a request straight to its server, on a connection that is kept or new. */
import type { Subscriber } from 'rxjs';
import type { Backpressure } from '../../../streams';
import type { HttpRequest, HttpResponse } from '../httpRequest';
import { limitConnect } from '../limitConnect';
import type { Connections } from './connections';
import { type ExchangeDeps, exchange } from './exchange';
import { type RequestText, toRequestText } from './requestText';
import type { Target } from './target';

/** What a request is sent with; see ExchangeDeps. */
export type DirectDeps = {
  connections: Connections;
  target: Target;
  backpressure: Backpressure;
  subscriber: Subscriber<HttpResponse>;
};

/**
 * Returns what ends the request. A kept connection that turns out to be closed is replaced by a new one. A request that `isOnce` has one
 * of its own, which is not kept: the server may be closing a kept one just now, and nobody could say whether it has read the request.
 */
export const sendDirect = (deps: DirectDeps, request: HttpRequest): (() => void) => {
  const { connections, target, subscriber } = deps;
  const sent = toRequestText(target, request);
  if (request.isOnce) return sendAnew({ ...deps, connections: withoutKeeping(connections) }, sent, request.connectMs);
  const connection = connections.kept(target);
  const dial = () => sendAnew(deps, sent, request.connectMs);
  if (connection === undefined) return dial();
  let stop = send(deps, sent, {
    connection,
    failed: ({ error, isUnanswered }) => {
      if (isUnanswered && isClosed(error) && !subscriber.closed) stop = dial();
      else subscriber.error(error);
    },
  });
  return () => stop();
};

/** Else each such request would leave another connection behind. */
const withoutKeeping = (connections: Connections): Connections => ({
  ...connections,
  keep: (_, { socket }) => void socket.destroy(),
});

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';

const sendAnew = (deps: DirectDeps, sent: RequestText, connectMs: number | undefined): (() => void) => {
  const connection = deps.connections.open(deps.target);
  const fail = (error: Error): void => deps.subscriber.error(error); // which ends the request
  const stop = send(deps, sent, { connection, failed: ({ error }) => fail(error) });
  const lift = limitConnect({ connectMs, onLate: fail, withSocket: (use) => use(connection.socket) });
  return () => {
    lift();
    stop();
  };
};

const send = (
  { connections, target, backpressure, subscriber }: DirectDeps,
  { text, encoding }: RequestText,
  { connection, failed }: Pick<ExchangeDeps, 'connection' | 'failed'>,
): (() => void) => {
  const keep: ExchangeDeps['keep'] = (done) => connections.keep(target, done);
  const stop = exchange({ connection, backpressure, subscriber, keep, failed });
  connection.socket.write(text, encoding);
  return stop;
};
