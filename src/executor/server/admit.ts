/** The phases of a connection: the handshake, once and in its order, before anything else. */

import { catchError, defer, map, type Observable, of } from 'rxjs';
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import type { ExecMessage, ExecRequest, ExecResponse } from '../../protocol/exec/codec';
import { ExecInitializeParams } from '../../protocol/exec/params';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  toErrorObject,
} from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { reasonOf } from '../../streams/text/reasons';
import type { ExecSession } from './execSession';
import type { ExecSessions } from './execSessions';

/** What is done about a message; `end` closes the connection. */
export type Action =
  | { kind: 'respond'; response: ExecResponse }
  | { kind: 'attach'; session: ExecSession; response: ExecResponse }
  | { kind: 'run'; request: ExecRequest }
  | { kind: 'none' }
  | { kind: 'end' };

/** `initialized`: the response to `initialize` was sent; `ready`: the client has sent its notification. */
export type Phase = 'new' | 'initialized' | 'ready';

/** Where a connection stands, and what is to be done with the last message. */
export type AdmitState = { phase: Phase; output: Action };

/** @param source names the transport where a message cannot be read */
export type AdmitDeps = { sessions: ExecSessions; source: string; log: Log };

/**
 * The next phase, and what is done about a message. Asynchronous for an `initialize` that resumes a session which another
 * connection has, as that one is first asked whether its client is alive.
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
