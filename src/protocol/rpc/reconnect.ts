/** One session over many connections: a lost connection is replaced, and requests may outlive it. */
import {
  catchError,
  concat,
  defer,
  filter,
  map,
  NEVER,
  type Observable,
  of,
  retry,
  switchMap,
  take,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { reasonOf } from '../../streams/text/reasons';
import { doublingWait } from '../../streams/time/wait';
import { RpcError } from '../jsonrpc/messages';

/** A connection that can be used. */
type Connected<C> = { kind: 'connected'; connection: C };
/** There is no connection now. */
type Disconnected = { kind: 'disconnected' };
/** Whether there is a connection at this moment. */
export type Connectivity<C> = Connected<C> | Disconnected;

/** What reconnecting needs. */
type ReconnectDeps<C> = {
  /** Makes a connection ready, given the lost connection, if any. Emits it once, and errors when it is lost. */
  open: (previous: C | undefined) => Observable<C>;
  /** Whether another attempt cannot help, for example because the peer no longer knows the session. */
  isFinal: (error: unknown) => boolean;
  /** Whether an error shows that the peer itself is gone; then attempts end after 10 s at most. Default: never. */
  isAbsent?: (error: unknown) => boolean;
  /** The peer in error texts. */
  name: string;
  /** How long after a loss to try again; 0 if there is no session to resume. */
  reconnectForMs: number;
  /** A monotonic clock, in ms; it never jumps, unlike the time of day. */
  clockMs: () => number;
};

/** How long a peer may be absent: it, or its proxy, may be restarting. */
const ABSENT_MS = 10_000;

/**
 * Emits `connected` with each connection, and `disconnected` when it is lost; waits 100 ms, 200 ms and so on up to 2 s between
 * attempts. Errors when the first connection cannot be made, when an attempt fails for good, and when the time is over, which is 10 s at most
 * for a peer that is absent.
 *   first   ---C--#
 *   second          ---C---
 *   out     ---C--D----C---      (C connected, D disconnected)
 * Source: codex 0.142.0 exec-server client, which tries every 100 ms for 25 s.
 */
export const reconnect = <C>({ open, isFinal, clockMs, ...limit }: ReconnectDeps<C>): Observable<Connectivity<C>> =>
  defer(() => {
    let previous: C | undefined;
    let loss: Loss | undefined; // from the loss of a connection until there is another
    const wait = (error: unknown): Observable<unknown> => {
      if (previous === undefined || limit.reconnectForMs === 0) return throwError(() => error);
      if (isFinal(error)) return throwError(() => new Error(`the session is lost: ${reasonOf(error)}`));
      const next = backoff(loss, clockMs());
      loss = next.loss;
      const forMs = limit.isAbsent?.(error) ? Math.min(ABSENT_MS, limit.reconnectForMs) : limit.reconnectForMs;
      if (next.elapsedMs <= forMs) return timer(next.waitMs);
      return throwError(() => outOfTime(limit.name, forMs, error));
    };
    return defer(() => open(previous)).pipe(
      tap((connection) => {
        previous = connection;
        loss = undefined;
      }),
      map((connection): Connectivity<C> => ({ kind: 'connected', connection })),
      catchError((error) =>
        concat(
          of<Disconnected>({ kind: 'disconnected' }),
          throwError(() => error),
        ),
      ),
      retry({ delay: wait }),
    );
  });

const outOfTime = (name: string, forMs: number, error: unknown): Error =>
  new Error(`${name} could not be reached again within ${forMs / 1000} s: ${reasonOf(error)}`);

/** A connection lost at `atMs`, and how many attempts were made since to get another. */
export type Loss = { atMs: number; attempts: number };

/** What to wait now, and how long after the loss the attempt is made. */
type Wait = { loss: Loss; waitMs: number; elapsedMs: number };

/** The wait doubles with each attempt. `loss` is undefined at the first. */
export const backoff = (loss: Loss | undefined, nowMs: number): Wait => {
  const { atMs, attempts } = loss ?? { atMs: nowMs, attempts: 0 };
  const waitMs = doublingWait(attempts + 1);
  return { loss: { atMs, attempts: attempts + 1 }, waitMs, elapsedMs: nowMs + waitMs - atMs };
};

export type AcrossDeps<C, T> = {
  /** Sends the request on a connection. */
  send: (connection: C) => Observable<T>;
  /** Whether the request may be sent again on this connection after the previous connection was lost without a response. */
  mayRepeat: (connection: C) => boolean;
  /** The error if it may not be repeated: whether the peer has executed the request is not known. */
  ambiguous: () => Error;
};

/**
 * Sends a request on the present connection, or on the next. If that is lost before the response, the request is repeated on the next connection,
 * or fails then. Emits the first response and completes. Errors with RpcError, with `ambiguous()`, and with `state$`, which errors when no further
 * connection will come.
 *   state$  C----D--C---      (C connected, D disconnected)
 *   send    r----#  r-R
 *   out     ----------(R|)
 * @param state$ replays the newest state
 */
export const requestAcross = <C, T>(
  state$: Observable<Connectivity<C>>,
  { send, mayRepeat, ambiguous }: AcrossDeps<C, T>,
): Observable<T> =>
  state$.pipe(
    filter((state): state is Connected<C> => state.kind === 'connected'),
    switchMap(({ connection }, timesSent) =>
      timesSent > 0 && !mayRepeat(connection) ? throwError(ambiguous) : send(connection).pipe(untilLost()),
    ),
    take(1),
  );

/** An RpcError is a response; any other error is the loss of the connection, and the next one decides. */
const untilLost = <T>() =>
  catchError<T, Observable<T>>((error) => (error instanceof RpcError ? throwError(() => error) : NEVER));
