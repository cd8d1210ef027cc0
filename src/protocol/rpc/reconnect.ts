/** One session over many connections: opening another when one is lost. */
import { catchError, concat, defer, map, type Observable, of, retry, tap, throwError, timer } from 'rxjs';
import { reasonOf } from '../../streams/text/reasons';
import { doublingWait } from '../../streams/time/wait';

/** A connection that can be used. */
export type Connected<C> = { kind: 'connected'; connection: C };
/** There is no connection now. */
export type Disconnected = { kind: 'disconnected' };
/** Whether there is a connection at this moment. */
export type Connectivity<C> = Connected<C> | Disconnected;

/**
 * @param open makes a connection ready, given the one that was lost, if any; emits it once and errors when it is lost
 * @param isFinal whether another attempt cannot help, as when the peer does not know the session any more
 * @param name of the peer in error texts
 * @param isAbsent whether an error shows that the peer itself is gone; then attempts end after 10 s at most; default: never
 * @param reconnectForMs how long after a loss to try again; 0 where there is no session to come back to
 * @param clockMs a monotonic clock, in ms; it never jumps, unlike the time of day
 */
export type ReconnectDeps<C> = {
  open: (previous: C | undefined) => Observable<C>;
  isFinal: (error: unknown) => boolean;
  isAbsent?: (error: unknown) => boolean;
  name: string;
  reconnectForMs: number;
  clockMs: () => number;
};

/** How long a peer may be absent: it, or what forwards to it, may be restarting. */
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
