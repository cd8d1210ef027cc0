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
import type { Lagged } from '../lag/recoverLag';
import { TransportError } from '../transportError';
import { NotListening } from './execTransport';
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
 * What happens to a request whose connection is lost before the response. `repeat`: it does no harm twice. `repeatIfKnown`: it is repeated if the server
 * recognises it. `fail`: whether the server has carried it out is unknown.
 */
type OnLoss = 'repeat' | 'repeatIfKnown' | 'fail';

/** An open session. */
export type Session = {
  /** What the server sends of its own accord; `lagged` if some of it may have been missed. */
  notification$: Observable<RpcNotification | Lagged>;
  /** Emits the result, and waits for a connection if there is none. Errors with RpcError, TransportError, or the loss of the session. */
  request: (method: string, params: JsonObject, onLoss: OnLoss) => Observable<unknown>;
  /** Runs requests whose results are not needed, to their end. */
  runInBackground: (task$: Observable<unknown>) => void;
  /** The events of a process. Undefined if the server sends events instead of storing them. */
  storedEventsOf?: (processId: string) => Observable<ProcessEvent>;
};

/** How a session is made, and resumed. */
export type SessionDeps = Omit<ConnectionDeps, 'initializeMs'> & {
  initializeMs?: number;
  /** How long to try to reconnect after a loss. Default: 0, not at all. */
  reconnectForMs?: number;
  /** The events that the server stores. Default: it sends them. */
  stored?: StoredEvents;
  /** The session of a client that is gone. Default: a new session. */
  resumeSessionId?: string;
  /** A monotonic clock in ms; unlike the time of day it never jumps. */
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
