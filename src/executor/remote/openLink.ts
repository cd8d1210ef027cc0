/** Owns an exec-server that can be asked, as long as there is a session with it. */
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
  switchMap,
  take,
} from 'rxjs';
import type { ExecMessage, ExecNotification, ExecOutgoing } from '../../protocol';
import { ofKind } from '../../streams';
import { LAGGED, type Lagged } from '../lagged';
import { TransportError } from '../transportError';
import type { Connection } from './connection';
import { LOST, question } from './question';
import type { Up } from './shakeHands';
import { type Down, stayConnected } from './stayConnected';

/**
 * What becomes of a question whose connection was lost before the answer came: asked again, as it does no harm; asked
 * again if the server knows what it had; or given up, as nobody knows whether the server had it.
 */
export type WhenLost = 'repeat' | 'repeat known' | 'give up';

/**
 * `note$` is what the server tells; `lagged` when it may have told something while nobody heard. `ask` emits the result,
 * waiting for a connection if there is none, or errors with RpcError, TransportError, or because the session was lost.
 * `tell` asks without waiting for an answer.
 */
export type Link = {
  note$: Observable<ExecNotification | Lagged>;
  ask: (method: string, params: unknown, whenLost: WhenLost) => Observable<unknown>;
  tell: (method: string, params: unknown) => void;
};

export type LinkDeps = {
  connection: Connection;
  clientName: string;
  newId: () => number;
  initializeMs?: number;
  reconnectForMs?: number;
};

const INITIALIZE_MS = 10_000;

/**
 * Connects and shakes hands. Emits the link once it can be used; errors when the session is lost.
 *   connection ---I------#     (I the answer to initialize)
 *   link       ---L------#
 */
export const openLink = ({ initializeMs = INITIALIZE_MS, reconnectForMs = 0, ...deps }: LinkDeps): Observable<Link> =>
  defer(() => {
    const said$ = new Subject<ExecOutgoing>(); // the wires from those who ask
    const errand$ = new Subject<Observable<unknown>>();
    return stayConnected({ ...deps, said$, initializeMs, reconnectForMs }).pipe(
      connect((heard$) => {
        const state$ = heard$.pipe(filter(isState), shareReplay({ bufferSize: 1, refCount: true }));
        const link = linkOf({ heard$, state$, said$, errand$, newId: deps.newId });
        return merge(
          state$.pipe(
            ofKind('up'),
            take(1),
            map(() => link),
          ),
          state$.pipe(ignoreElements()),
          errand$.pipe(
            mergeMap((asked$) => asked$.pipe(catchError(() => EMPTY))),
            ignoreElements(),
          ),
        );
      }),
    );
  });

type Heard = Up | Down | ExecMessage;
type LinkParts = {
  heard$: Observable<Heard>;
  state$: Observable<Up | Down>;
  said$: Subject<ExecOutgoing>;
  errand$: Subject<Observable<unknown>>;
  newId: () => number;
};

const isState = (heard: Heard): heard is Up | Down => heard.kind === 'up' || heard.kind === 'down';

const linkOf = ({ heard$, state$, said$, errand$, newId }: LinkParts): Link => {
  const message$ = heard$.pipe(filter((heard): heard is ExecMessage => !isState(heard)));
  const put = question({ message$, say: (message) => said$.next(message), newId });
  const ask: Link['ask'] = (method, params, whenLost) =>
    state$.pipe(
      ofKind('up'),
      switchMap((up, timesAsked) => {
        if (timesAsked > 0 && !mayRepeat(whenLost, up)) throw ambiguous(method);
        return put(method, params);
      }),
      take(1),
    );
  return {
    note$: heard$.pipe(mergeMap(toNote)),
    ask,
    tell: (method, params) => errand$.next(ask(method, params, 'repeat')),
  };
};

const toNote = (heard: Heard): (ExecNotification | Lagged)[] => {
  if (heard.kind === 'notification') return [heard];
  return heard.kind === 'up' && heard.isResumed ? [LAGGED] : [];
};

const mayRepeat = (whenLost: WhenLost, { repeats }: Up): boolean =>
  whenLost === 'repeat' || (whenLost === 'repeat known' && repeats);

const ambiguous = (method: string): TransportError =>
  new TransportError('ambiguous', `${LOST} before it answered ${method}: whether it did that, nobody knows`);
