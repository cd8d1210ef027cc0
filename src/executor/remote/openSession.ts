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
  of,
  Subject,
  shareReplay,
  switchMap,
  take,
} from 'rxjs';
import { type JsonObject, RpcError } from '../../protocol/jsonrpc';
import { type Connectivity, type RpcNotification, reconnect, requestAcross } from '../../rpc';
import { ofKind } from '../../streams';
import { LAGGED, type Lagged } from '../lagged';
import { TransportError } from '../transportError';
import { type Connection, type ConnectionDeps, EXEC_SERVER, openConnection } from './openConnection';

/**
 * What becomes of a request whose connection is lost before the response: it is repeated, as that does no harm; it is repeated
 * where the server recognises it; or it fails, as it is not known whether the server has done it.
 */
export type OnLoss = 'repeat' | 'repeatIfKnown' | 'fail';

/**
 * `notification$` has what the server sends of its own accord; `lagged` where some of it may have been missed.
 * `request` emits the result, and waits for a connection where there is none. It errors with RpcError, TransportError, or the
 * loss of the session. `runInBackground` runs requests whose results are not needed, to their end.
 */
export type Session = {
  notification$: Observable<RpcNotification | Lagged>;
  request: (method: string, params: JsonObject, onLoss: OnLoss) => Observable<unknown>;
  runInBackground: (task$: Observable<unknown>) => void;
};

/**
 * @param reconnectForMs how long it is tried to come back after a loss; default 0: not at all
 * @param clockMs ms since some moment; it never jumps, unlike the time of day
 */
export type SessionDeps = Omit<ConnectionDeps, 'initializeMs'> & {
  initializeMs?: number;
  reconnectForMs?: number;
  clockMs: () => number;
};

const INITIALIZE_MS = 10_000;
/** Another connection has the session: ours of before, which the server has not missed yet. */
const ATTACHED_ELSEWHERE = -32010;

/**
 * Connects and shakes hands. Emits the session once it can be used; errors when it cannot be opened, and when it is lost.
 *   transport  ---I------#     (I the response to initialize)
 *   out        ---S------#
 */
export const openSession = ({
  initializeMs = INITIALIZE_MS,
  reconnectForMs = 0,
  clockMs,
  ...deps
}: SessionDeps): Observable<Session> =>
  defer(() => {
    const background$ = new Subject<Observable<unknown>>(); // the wire from requests whose result is not needed
    const connectivity$ = reconnect<Connection>({
      open: (previous) => openConnection({ ...deps, initializeMs }, previous),
      isFinal: (error) => error instanceof RpcError && error.code !== ATTACHED_ELSEWHERE,
      name: EXEC_SERVER,
      reconnectForMs,
      clockMs,
    });
    return connectivity$.pipe(
      switchMap(withNotifications),
      connect((item$) => {
        const state$ = item$.pipe(filter(isConnectivity), shareReplay({ bufferSize: 1, refCount: true }));
        const session = toSession({ item$, state$, background$ });
        const opened$ = state$.pipe(ofKind('connected'), take(1));
        return merge(
          opened$.pipe(map(() => session)),
          state$.pipe(ignoreElements()),
          background$.pipe(mergeMap(untilAny), ignoreElements()),
        );
      }),
    );
  });

/** Runs a request to its end, whatever that is. */
const untilAny = (result$: Observable<unknown>): Observable<unknown> => result$.pipe(catchError(() => EMPTY));

type Item = Connectivity<Connection> | RpcNotification | Lagged;

/** A connection and what comes on it. Notifications are subscribed first; their loss shows in the connectivity. */
const withNotifications = (state: Connectivity<Connection>): Observable<Item> =>
  state.kind === 'disconnected'
    ? of(state)
    : merge(
        state.connection.peer.notifications$.pipe(catchError(() => EMPTY)),
        of<Item[]>(state, ...(state.connection.isResumed ? [LAGGED] : [])),
      );

const isConnectivity = (item: Item): item is Connectivity<Connection> =>
  item.kind === 'connected' || item.kind === 'disconnected';

const isIncoming = (item: Item): item is RpcNotification | Lagged =>
  item.kind === 'notification' || item.kind === 'lagged';

type Wiring = {
  item$: Observable<Item>;
  state$: Observable<Connectivity<Connection>>;
  background$: Subject<Observable<unknown>>;
};

const toSession = ({ item$, state$, background$ }: Wiring): Session => {
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
  };
};

const ambiguous = (method: string): TransportError =>
  new TransportError(
    'ambiguous',
    `the connection to ${EXEC_SERVER} was lost before it answered ${method}: whether it was done is not known`,
  );
