/** One connection of the exec-server as an operator from messages to messages: the handshake, its requests, its end. */
import {
  concat,
  connect,
  endWith,
  ignoreElements,
  last,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { ExecMessage, ExecOutgoing } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { ofKind } from '../../streams/ofKind';
import { scanInTurn } from '../../streams/scanInTurn';
import { type Action, type AdmitState, admit } from './admit';
import type { ClientConnection } from './connection';
import type { ExecSessions } from './execSessions';

/** The sessions, and one connection to them. */
export type ExecServerDeps = Omit<ClientConnection, 'isAlive'> &
  Partial<ClientConnection> & {
    sessions: ExecSessions;
    /** Names the transport in the log of a message that cannot be read. */
    source: string;
    log: Log;
  };

/** The server closes the connection: the client broke the protocol, or another connection resumed the session. */
export type Ended = { kind: 'ended'; why: 'broken' | 'replaced' };

/**
 * Requests are answered side by side, so none waits for another. The events of a process are sent in the order of `seq`, after
 * the response to its start; in a resumed session from the response to `initialize` on. Completes at the end of the messages,
 * and with `ended` if the server closes the connection.
 *   in   i-n-s----r--k---|     (i initialize, n initialized, s start, r a long poll, k terminate)
 *   out  I---S-oo----Kx(zR)
 * Source: codex exec-server 0.142.0, run over stdio and WebSocket.
 */
export const execServer =
  (deps: ExecServerDeps): OperatorFunction<ExecMessage, ExecOutgoing | Ended> =>
  (message$) =>
    message$.pipe(
      scanInTurn<ExecMessage, AdmitState>((state, message) => admit(deps, state, message), NEW),
      map(({ output }) => output),
      yieldAfterStarts(STARTS_IN_ONE_TURN),
      takeWhile(({ kind }) => kind !== 'end', true),
      connect((action$) => merge(endOf(action$), responsesOf(action$), attachedTo(deps, action$))),
      takeWhile(({ kind }) => kind !== 'ended', true),
    );

const NEW: AdmitState = { phase: 'new', output: { kind: 'none' } };

/** How many starts may hold up other connections: some 30 ms. */
const STARTS_IN_ONE_TURN = 8;

const BROKEN: Ended = { kind: 'ended', why: 'broken' };
const REPLACED: Ended = { kind: 'ended', why: 'replaced' };

const endOf = (action$: Observable<Action>): Observable<Ended> =>
  action$.pipe(
    ofKind('end'),
    map(() => BROKEN),
  );

const responsesOf = (action$: Observable<Action>): Observable<ExecOutgoing> =>
  action$.pipe(
    ofKind('respond'),
    map(({ response }) => response),
  );

/** The response to `initialize`, then what the session sends to this connection. */
const attachedTo = (deps: ExecServerDeps, action$: Observable<Action>): Observable<ExecOutgoing | Ended> => {
  const request$ = action$.pipe(
    ofKind('run'),
    map(({ request }) => request),
  );
  const connection: ClientConnection = { isAlive: () => of(true), ...deps };
  return action$.pipe(
    ofKind('attach'),
    mergeMap(({ session, response }) =>
      merge(of(response), request$.pipe(session.attach(connection), endWith(REPLACED))),
    ),
    takeUntil(action$.pipe(last(null, null))),
  );
};

/**
 * Passes all in its order; what follows every `many` starts waits for the next turn of the event loop.
 *   in  sssk---     (s starts, k another request, many 2)
 *   out ss-sk--
 */
export const yieldAfterStarts =
  (many: number): MonoTypeOperatorFunction<Action> =>
  (action$) =>
    action$.pipe(
      scanInTurn<Action, State>(
        ({ starts }, output) => {
          if (!isStart(output)) return { starts, output };
          const next = { starts: starts + 1, output };
          return next.starts % many === 0 ? concat(of(next), NEXT_TURN) : next;
        },
        { starts: 0, output: { kind: 'none' } },
      ),
      map(({ output }) => output),
    );

type State = { starts: number; output: Action };

const isStart = (action: Action): boolean => action.kind === 'run' && action.request.method === 'process/start';

const NEXT_TURN = timer(0).pipe(ignoreElements());
