/** One connection of the exec-server as an operator from messages to messages: the handshake, its requests, its end. */
import {
  catchError,
  concat,
  connect,
  defer,
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
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import type { ExecMessage, ExecOutgoing, ExecRequest, ExecResponse } from '../../protocol/exec/codec';
import { ExecInitializeParams } from '../../protocol/exec/params';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  toErrorObject,
} from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { ofKind } from '../../streams/ofKind';
import { scanInTurn } from '../../streams/scanInTurn';
import { reasonOf } from '../../streams/text/reasons';
import type { ClientConnection, ExecSession } from './execSession';
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
 * Requests run in parallel, so none waits for another. The events of a process are sent in the order of `seq`, after
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

/** How many starts may delay other connections: some 30 ms. */
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
 * Passes all actions in order; after every `many` starts it waits for the next turn of the event loop.
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

/** The reaction to a message; `end` closes the connection. */
export type Action =
  | { kind: 'respond'; response: ExecResponse }
  | { kind: 'attach'; session: ExecSession; response: ExecResponse }
  | { kind: 'run'; request: ExecRequest }
  | { kind: 'none' }
  | { kind: 'end' };

/** The handshake, once and in its order. `initialized`: the response to `initialize` was sent; `ready`: the client has sent its notification. */
export type Phase = 'new' | 'initialized' | 'ready';

/** The phase of a connection, and the reaction to the last message. */
export type AdmitState = { phase: Phase; output: Action };

type AdmitDeps = Pick<ExecServerDeps, 'sessions' | 'source' | 'log'>;

/**
 * The next phase, and the reaction to a message. Asynchronous for an `initialize` that resumes a session which another
 * connection has: that connection is first asked whether its client is alive.
 */
export const admit = (
  deps: AdmitDeps,
  { phase }: AdmitState,
  message: ExecMessage,
): AdmitState | Observable<AdmitState> =>
  message.kind === 'request' && message.method === 'initialize'
    ? initialize(deps, phase, message)
    : admitOther(deps, phase, message);

const admitOther = (deps: AdmitDeps, phase: Phase, message: ExecMessage): AdmitState => {
  switch (message.kind) {
    case 'fault':
      return refuse(phase, -1, new RpcError(INVALID_REQUEST, `failed to parse ${deps.source}: ${message.message}`));
    case 'response':
      return violation(deps, phase, 'the client sent a response, but the server sends no requests');
    case 'notification':
      if (message.method !== 'initialized') return violation(deps, phase, `unknown notification ${message.method}`);
      if (phase === 'new') return violation(deps, phase, 'initialized came before initialize');
      return { phase: 'ready', output: { kind: 'none' } };
    case 'request':
      return admitRequest(deps, phase, message);
  }
};

const refuse = (phase: Phase, id: ExecRequest['id'], error: unknown): AdmitState => ({
  phase,
  output: { kind: 'respond', response: { kind: 'response', id, error: errorObjectOf(error) } },
});

/** Errors that are not the client's fault have the code that Codex gives them, and their own text. */
const errorObjectOf = (error: unknown) =>
  error instanceof RpcError ? toErrorObject(error) : { code: INTERNAL_ERROR, message: reasonOf(error) };

const violation = ({ log }: AdmitDeps, phase: Phase, why: string): AdmitState => {
  log('warning', 'the client broke the protocol; its connection is closed', { why });
  return { phase, output: { kind: 'end' } };
};

const initialize = ({ sessions }: AdmitDeps, phase: Phase, { id, params }: ExecRequest): Observable<AdmitState> =>
  defer(() => {
    if (phase !== 'new') throw new RpcError(INVALID_REQUEST, 'initialize may only be sent once per connection');
    const { resumeSessionId } = checkExecParams(ExecInitializeParams(), params);
    return sessions.open(resumeSessionId ?? undefined);
  }).pipe(
    map((session): AdmitState => {
      const response: ExecResponse = { kind: 'response', id, result: { sessionId: session.id } };
      return { phase: 'initialized', output: { kind: 'attach', session, response } };
    }),
    catchError((error) => of(refuse(phase, id, error))),
  );

/** The names of Codex for the families of methods. */
const FAMILIES: [RegExp, string][] = [
  [/^process\//, 'exec'],
  [/^fs\//, 'filesystem'],
  [/^http\//, 'http'],
  [/^environment\//, 'environment info'],
];

const admitRequest = ({ sessions }: AdmitDeps, phase: Phase, request: ExecRequest): AdmitState => {
  const { id, method } = request;
  if (!sessions.hasMethod(method))
    return refuse(phase, id, new RpcError(METHOD_NOT_FOUND, `exec-server stub does not implement \`${method}\` yet`));
  if (phase === 'ready') return { phase, output: { kind: 'run', request } };
  const family = FAMILIES.find(([pattern]) => pattern.test(method))?.[1];
  const must = phase === 'new' ? 'call initialize' : 'send initialized';
  return refuse(phase, id, new RpcError(INVALID_REQUEST, `client must ${must} before using ${family} methods`));
};
