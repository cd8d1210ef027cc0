/** A session with an exec-server, which may outlive its connection. */
import {
  catchError,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  Subject,
  shareReplay,
  take,
} from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { RpcError } from '../../protocol/jsonrpc/messages';
import type { RpcNotification } from '../../protocol/rpc/messages';
import { type Connectivity, reconnect, requestAcross } from '../../protocol/rpc/reconnect';
import { ofKind } from '../../streams/ofKind';
import type { Lagged } from '../lag/lagged';
import { TransportError } from '../transportError';
import { NotListening } from './notListening';
import { type Connection, type ConnectionDeps, EXEC_SERVER, openConnection } from './openConnection';
import {
  isConnectivity,
  isIncoming,
  type SessionItem,
  type StoredEvents,
  storedEventsOf,
  withItems,
} from './sessionItems';

/**
 * What becomes of a request whose connection is lost before the response: it is repeated, as that does no harm; it is repeated
 * where the server recognises it; or it fails, as it is not known whether the server has done it.
 */
export type OnLoss = 'repeat' | 'repeatIfKnown' | 'fail';

/**
 * `notification$` has what the server sends of its own accord; `lagged` where some of it may have been missed. `request` emits the result,
 * and waits for a connection where there is none. It errors with RpcError, TransportError, or the loss of the session. `runInBackground`
 * runs requests whose results are not needed, to their end. `storedEventsOf` has the events of a process where the server stores them.
 */
export type Session = {
  notification$: Observable<RpcNotification | Lagged>;
  request: (method: string, params: JsonObject, onLoss: OnLoss) => Observable<unknown>;
  runInBackground: (task$: Observable<unknown>) => void;
  storedEventsOf?: (processId: string) => Observable<ProcessEvent>;
};

/**
 * @param reconnectForMs how long to try to reconnect after a loss; default 0: not at all
 * @param stored where the server stores events; default: it sends them
 * @param resumeSessionId the session of a client that is gone; default: a new one
 * @param clockMs a monotonic clock, in ms; it never jumps, unlike the time of day
 */
export type SessionDeps = Omit<ConnectionDeps, 'initializeMs'> & {
  initializeMs?: number;
  reconnectForMs?: number;
  stored?: StoredEvents;
  resumeSessionId?: string;
  clockMs: () => number;
};

const INITIALIZE_MS = 10_000;
/** Another connection has the session: our previous one, whose loss the server has not noticed yet. */
const ATTACHED_ELSEWHERE = -32010;

/**
 * Connects and does the handshake. Emits the session once it can be used; errors when it cannot be opened, and when it is lost.
 *   transport  ---I------#     (I the response to initialize)
 *   out        ---S------#
 */
export const openSession = ({ stored, ...deps }: SessionDeps): Observable<Session> =>
  defer(() => {
    const background$ = new Subject<Observable<unknown>>(); // the wire from requests whose result is not needed
    return connections(deps).pipe(
      withItems(stored),
      connect((item$) => {
        const state$ = item$.pipe(filter(isConnectivity), shareReplay({ bufferSize: 1, refCount: true }));
        const session = toSession({ item$, state$, background$, stored });
        const opened$ = state$.pipe(ofKind('connected'), take(1));
        return merge(
          opened$.pipe(map(() => session)),
          state$.pipe(ignoreElements()),
          background$.pipe(mergeMap(untilAny), ignoreElements()),
        );
      }),
    );
  });

/** One connection after another to the same session. */
const connections = ({
  initializeMs = INITIALIZE_MS,
  reconnectForMs = 0,
  resumeSessionId: sessionId,
  clockMs,
  ...deps
}: SessionDeps): Observable<Connectivity<Connection>> =>
  reconnect<Connection>({
    open: (previous) => openConnection({ ...deps, initializeMs }, previous ?? (sessionId ? { sessionId } : undefined)),
    isFinal: (error) => error instanceof RpcError && error.code !== ATTACHED_ELSEWHERE,
    isAbsent: (error) => error instanceof NotListening,
    name: EXEC_SERVER,
    reconnectForMs,
    clockMs,
  });

/** Runs a request to its end, and ignores its error. */
const untilAny = (result$: Observable<unknown>): Observable<unknown> => result$.pipe(catchError(() => EMPTY));

type Wiring = {
  item$: Observable<SessionItem>;
  state$: Observable<Connectivity<Connection>>;
  background$: Subject<Observable<unknown>>;
  stored: StoredEvents | undefined;
};

const toSession = ({ item$, state$, background$, stored }: Wiring): Session => {
  const request: Session['request'] = (method, params, onLoss) =>
    requestAcross(state$, {
      send: ({ peer }) => peer.request(method, params),
      mayRepeat: ({ knowsWrites }) => onLoss === 'repeat' || (onLoss === 'repeatIfKnown' && knowsWrites),
      ambiguous: () => ambiguous(method),
    });
  return {
    notification$: item$.pipe(filter(isIncoming)),
    request,
    runInBackground: (task$) => background$.next(task$),
    ...(stored && { storedEventsOf: (processId) => item$.pipe(storedEventsOf(processId)) }),
  };
};

const ambiguous = (method: string): TransportError =>
  new TransportError(
    'ambiguous',
    `the connection to ${EXEC_SERVER} was lost before it answered ${method}: whether it was done is not known`,
  );
