/** Owns the handshake with an exec-server, and asking it. */
import {
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  Subject,
  take,
  tap,
  throwIfEmpty,
} from 'rxjs';
import {
  type ExecMessage,
  type ExecNotification,
  type ExecOutgoing,
  type ExecResponse,
  RpcError,
} from '../../protocol';
import { ofKind } from '../../streams';
import type { Connection } from './overStdio';

/** An exec-server that can be asked. `ask` emits the result, or errors with RpcError or because the connection was lost. */
export type Link = {
  note$: Observable<ExecNotification>;
  ask: (method: string, params: unknown) => Observable<unknown>;
  /** Asks without waiting for an answer. */
  tell: (method: string, params: unknown) => void;
};

export type LinkDeps = { connection: Connection; clientName: string; newId: () => number };

/**
 * Connects and shakes hands. Emits the link once it can be used; completes or errors when the connection is lost.
 *   connection ---I------|     (I the answer to initialize)
 *   link       ---L------|
 */
export const openLink = ({ connection, clientName, newId }: LinkDeps): Observable<Link> =>
  defer(() => {
    const said$ = new Subject<ExecOutgoing>();
    const id = newId();
    const hello: ExecOutgoing = {
      kind: 'request',
      id,
      method: 'initialize',
      params: { clientName, resumeSessionId: null },
    };
    return concat(of(hello), said$).pipe(
      connection,
      connect((message$) =>
        merge(
          message$.pipe(
            answerOf(id),
            tap(() => said$.next({ kind: 'notification', method: 'initialized', params: {} })),
            map(() => linkOf(said$, message$, newId)),
          ),
          message$.pipe(ignoreElements()),
        ),
      ),
    );
  });

const linkOf = (said$: Subject<ExecOutgoing>, message$: Observable<ExecMessage>, newId: () => number): Link => ({
  note$: message$.pipe(ofKind<ExecMessage, 'notification'>('notification')),
  ask: (method, params) =>
    defer(() => {
      const id = newId();
      const question$ = defer(() => {
        said$.next({ kind: 'request', id, method, params });
        return EMPTY;
      });
      return merge(message$.pipe(answerOf(id)), question$);
    }),
  tell: (method, params) => said$.next({ kind: 'request', id: newId(), method, params }),
});

const answerOf = (id: number) => (message$: Observable<ExecMessage>) =>
  message$.pipe(
    ofKind('response'),
    filter((response) => response.id === id),
    take(1),
    throwIfEmpty(() => new Error('the connection to the exec-server was lost')),
    map(toResult),
  );

const toResult = (response: ExecResponse): unknown => {
  if ('result' in response) return response.result;
  const { code, message, data } = response.error;
  throw new RpcError(code, message, data);
};
