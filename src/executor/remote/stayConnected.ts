/** Owns coming back to a session whose connection was lost. */
import { asyncScheduler, catchError, concat, defer, type Observable, of, retry, tap, throwError, timer } from 'rxjs';
import { type ExecMessage, RpcError } from '../../protocol';
import { type ShakeHandsDeps, shakeHands, type Up } from './shakeHands';

/** There is no connection now; what is asked waits. */
export type Down = { kind: 'down' };

/** @param reconnectForMs how long it is tried again after a loss; 0 where nothing is there to come back to */
export type StayConnectedDeps = ShakeHandsDeps & { reconnectForMs: number };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;
/** Another connection has the session: ours of before, which the server has not missed yet. */
const ATTACHED_ELSEWHERE = -32010;

/**
 * One session over many connections. After a loss, `down`; then it is tried again after 100 ms, 200 ms and so on, as the
 * same session, up to `reconnectForMs`. Errors when there was no session yet, when the server does not know it any more
 * (or refuses it otherwise), and when the time is over.
 *   first   ---U--#
 *   second          ---U---
 *   out     ---U--D----U---      (U up, D down)
 * Source: codex 0.142.0 exec-server client, which tries every 100 ms for 25 s.
 */
export const stayConnected = (deps: StayConnectedDeps): Observable<Up | Down | ExecMessage> =>
  defer(() => {
    let sessionId: string | null = null;
    let tries = 0;
    let lostAt = 0;
    const wait = (error: unknown): Observable<unknown> => {
      if (sessionId === null || deps.reconnectForMs === 0) return throwError(() => error);
      if (isFinal(error)) return throwError(() => new Error(`the session is lost: ${wordsOf(error)}`));
      const now = asyncScheduler.now();
      if (tries === 0) lostAt = now;
      tries += 1;
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
      return now + waitMs - lostAt > deps.reconnectForMs ? throwError(() => gaveUp(deps, error)) : timer(waitMs);
    };
    return defer(() => shakeHands(deps, sessionId)).pipe(
      tap((heard) => {
        if (heard.kind !== 'up') return;
        sessionId = heard.sessionId;
        tries = 0;
      }),
      catchError((error) =>
        concat(
          of<Down>({ kind: 'down' }),
          throwError(() => error),
        ),
      ),
      retry({ delay: wait }),
    );
  });

const isFinal = (error: unknown): boolean => error instanceof RpcError && error.code !== ATTACHED_ELSEWHERE;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const gaveUp = ({ reconnectForMs }: StayConnectedDeps, error: unknown): Error =>
  new Error(`the exec-server could not be reached again within ${reconnectForMs / 1000} s: ${wordsOf(error)}`);
