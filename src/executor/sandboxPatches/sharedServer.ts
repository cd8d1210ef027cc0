/** One server for many requests: started by the first, ended when it is idle, or does not answer. */
import {
  catchError,
  dematerialize,
  EMPTY,
  exhaustMap,
  ignoreElements,
  map,
  materialize,
  merge,
  type Observable,
  ReplaySubject,
  Subject,
  share,
  switchMap,
  timeout,
  timer,
} from 'rxjs';
import type { Peer } from '../../protocol/rpc/peer';
import type { ForwardFilesDeps } from '../server/forwardFiles';

/** The server, and how long it may take. */
export type SharedServerDeps = {
  /** Starts the server, emits it once it is ready, and ends it when unsubscribed. */
  peer$: Observable<Pick<Peer, 'request'>>;
  /** How long it stays without a request. */
  idleMs: number;
  /** How long methods may take, by name. */
  limitsMs: Readonly<Record<string, number>>;
  /** How long any other method may take. */
  usualMs: number;
  /** How long the server needs to end at most. */
  goneMs: number;
};

/** A server was ended because it did not answer a method within its limit. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(method: string, limitMs: number) {
    super(
      `the server of files in the sandbox did not answer ${method} within ${limitMs / 1000} s and was ended; see whether the disk answers, then try again`,
    );
  }
}

/**
 * A request emits its result and completes. It errors with RpcError, with the loss of the server, or with NoAnswer once the server is surely gone and works
 * on nothing any more. Other requests to that server error at once then, and the next request starts another one.
 *   peer$  --P----------      (ended at the limit)
 *   out    -------------#     (limit, then the time it needs to end)
 */
export const sharedServer = (deps: SharedServerDeps): Pick<ForwardFilesDeps, 'request' | 'alive$'> => {
  const silent$ = new Subject<Error>(); // the wire from a request without a response to the server
  const peer$ = merge(deps.peer$, silent$.pipe(map(fail))).pipe(
    share({
      connector: () => new ReplaySubject<Pick<Peer, 'request'>>(1),
      resetOnRefCountZero: () => timer(deps.idleMs),
    }),
  );
  return {
    request: (method, params) => {
      const result$ = peer$.pipe(
        exhaustMap((peer) => peer.request(method, params).pipe(materialize())),
        dematerialize(), // the end of the request is the end of its hold on the server
      );
      const limitMs = deps.limitsMs[method] ?? deps.usualMs;
      return result$.pipe(timeout({ first: limitMs, with: () => ended(silent$, new NoAnswer(method, limitMs), deps) }));
    },
    alive$: peer$.pipe(
      ignoreElements(),
      catchError(() => EMPTY), // the next request gets the error
    ),
  };
};

const fail = (error: Error): never => {
  throw error;
};

const ended = (
  silent$: Subject<Error>,
  error: Error,
  { goneMs }: Pick<SharedServerDeps, 'goneMs'>,
): Observable<never> => {
  silent$.next(error);
  return timer(goneMs).pipe(switchMap(() => fail(error)));
};
