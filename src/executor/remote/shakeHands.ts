/** Owns the beginning of a connection to an exec-server: who we are, which session is ours. */
import {
  catchError,
  concat,
  connect,
  defer,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  type Subject,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { type ExecMessage, type ExecOutgoing, INVALID_PARAMS, isObject, RpcError } from '../../protocol';
import type { Connection } from './connection';
import { answerTo, LOST, question } from './question';

/** The connection can be used. `repeats`: a write may be asked again, for the server knows those it has by their ids. */
export type Up = { kind: 'up'; sessionId: string | null; isResumed: boolean; repeats: boolean };

/**
 * @param said$ the wire from us to whatever connection there is
 * @param initializeMs how long the server may take to answer, from when it could hear us
 */
export type ShakeHandsDeps = {
  connection: Connection;
  clientName: string;
  newId: () => number;
  initializeMs: number;
  said$: Subject<ExecOutgoing>;
};

/**
 * Connects, as a new session or as one that was. Emits `up` once the connection can be used, and all that is said on it.
 * Errors when it is lost, or the server refuses.
 *   connection  ---I--o---|     (I the answer to initialize, o an event)
 *   out         ---U--o---#
 * Source: codex 0.142.0 exec-server client; the question whether writes are known is ours.
 */
export const shakeHands = (deps: ShakeHandsDeps, sessionId: string | null): Observable<Up | ExecMessage> =>
  defer(() => {
    const { said$, connection, clientName, newId } = deps;
    const id = newId();
    const hello: ExecOutgoing = {
      kind: 'request',
      id,
      method: 'initialize',
      params: { clientName, resumeSessionId: sessionId },
    };
    return concat(connection(merge(said$, tooLate(deps), of(hello))), lost$).pipe(
      connect((message$) =>
        merge(
          message$.pipe(
            answerTo(id),
            tap(() => said$.next({ kind: 'notification', method: 'initialized', params: {} })),
            mergeMap((result) => toUp(deps, message$, sessionId, result)),
          ),
          message$,
        ),
      ),
    );
  });

const lost$ = throwError(() => new Error(LOST));

/** Nothing is said before the handshake is done. */
const tooLate = ({ said$, initializeMs }: ShakeHandsDeps): Observable<never> =>
  timer(initializeMs).pipe(
    takeUntil(said$),
    map(() => {
      throw new Error(`the exec-server did not answer initialize within ${initializeMs / 1000} s`);
    }),
  );

const toUp = (
  deps: ShakeHandsDeps,
  message$: Observable<ExecMessage>,
  resumed: string | null,
  result: unknown,
): Observable<Up> => {
  const sessionId = isObject(result) && typeof result.sessionId === 'string' ? result.sessionId : null;
  if (resumed === null) return of({ kind: 'up', sessionId, isResumed: false, repeats: false });
  return knowsWrites(deps, message$).pipe(map((repeats) => ({ kind: 'up', sessionId, isResumed: true, repeats })));
};

/**
 * A server that knows writes by their ids refuses an empty one; no process is called ''.
 * Source: codex exec-server 0.142.0 and 0.169.0; 0.130.0 has no ids.
 */
const knowsWrites = ({ said$, newId }: ShakeHandsDeps, message$: Observable<ExecMessage>): Observable<boolean> =>
  question({ message$, say: (message) => said$.next(message), newId })('process/write', {
    processId: '',
    chunk: '',
    writeId: '',
  }).pipe(
    map(() => false),
    catchError((error) => {
      if (error instanceof RpcError) return of(error.code === INVALID_PARAMS);
      throw error;
    }),
  );
