/** The items of a session: its connections, the messages received on them, and the events that the server stores. */
import {
  catchError,
  concat,
  connect,
  distinctUntilChanged,
  EMPTY,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  switchMap,
  throwError,
} from 'rxjs';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { RpcNotification } from '../../protocol/rpc/messages';
import type { Connectivity } from '../../protocol/rpc/reconnect';
import { mapMulti } from '../../streams/gather';
import { ofKind } from '../../streams/ofKind';
import type { PlacedEvent, StoredItem } from '../backend';
import { markGaps } from '../lag/inOrder';
import { LAGGED, type Lagged } from '../lag/recoverLag';
import type { Connection } from './openConnection';

/** Events that a server stores instead of sending them. */
export type StoredEvents = {
  /** Emits the events of a session as they arrive. For a resumed session it begins with the first stored event. */
  read: (session: StoredSession) => Observable<StoredItem>;
  /** Completes when all events that are stored now were emitted. */
  untilRead: () => Observable<unknown>;
};

/** A session. A resumed session had another client, or another connection of ours, before. */
export type StoredSession = { sessionId: string; isResumed: boolean };

/** A connection, or its loss; a notification; an event that the server stores. */
export type SessionItem = Connectivity<Connection> | RpcNotification | Lagged | { kind: 'stored'; item: StoredItem };

/** The messages received on the connections, and the events stored for the session. Errors with the loss of the session once all stored events were read. */
export const withItems =
  (stored: StoredEvents | undefined): OperatorFunction<Connectivity<Connection>, SessionItem> =>
  (state$) =>
    stored === undefined
      ? state$.pipe(switchMap(withNotifications))
      : state$.pipe(
          catchError((error) =>
            concat(
              stored.untilRead().pipe(ignoreElements()),
              throwError(() => error),
            ),
          ),
          connect((each$) => merge(each$.pipe(storedItems(stored)), each$)), // stored events are subscribed to before anything starts
        );

/** Read once for all connections of a session. */
const storedItems =
  ({ read }: StoredEvents): OperatorFunction<Connectivity<Connection>, SessionItem> =>
  (state$) =>
    state$.pipe(
      ofKind('connected'),
      map(({ connection: { sessionId, isResumed } }) => ({ sessionId: sessionId ?? '', isResumed })),
      distinctUntilChanged((before, now) => before.sessionId === now.sessionId),
      switchMap(read),
      map((item): SessionItem => ({ kind: 'stored', item })),
    );

/** A connection and the messages received on it. Notifications are subscribed to first. The loss of the connection is an item of the connectivity. */
const withNotifications = (state: Connectivity<Connection>): Observable<SessionItem> =>
  state.kind === 'disconnected'
    ? of(state)
    : merge(
        state.connection.peer.notifications$.pipe(catchError(() => EMPTY)),
        of<SessionItem[]>(state, ...(state.connection.isResumed ? [LAGGED] : [])),
      );

/** True for an item that reports whether there is a connection. */
export const isConnectivity = (item: SessionItem): item is Connectivity<Connection> =>
  item.kind === 'connected' || item.kind === 'disconnected';

/** True for what the server sent, and for the sign that something is missing. */
export const isIncoming = (item: SessionItem): item is RpcNotification | Lagged =>
  item.kind === 'notification' || item.kind === 'lagged';

/** The events of a process, in order, each once. */
export const storedEventsOf =
  (processId: string): OperatorFunction<SessionItem, ProcessEvent> =>
  (item$) =>
    item$.pipe(
      mapMulti<SessionItem, PlacedEvent>((one, emit) => {
        if (one.kind !== 'stored' || one.item.processId !== processId) return;
        for (const placed of one.item.placed) emit(placed);
      }),
      markGaps(),
    );
