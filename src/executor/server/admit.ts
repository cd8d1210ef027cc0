/** Owns the phases of a connection: what comes of a message before and after the handshake. */
import { catchError, defer, map, type Observable, of } from 'rxjs';
import type { Log } from '../../log';
import type { ExecMessage, ExecRequest, ExecResponse } from '../../protocol/exec';
import { INVALID_REQUEST, METHOD_NOT_FOUND, RpcError } from '../../protocol/jsonrpc';
import type { ExecSession } from './execSession';
import type { ExecSessions } from './execSessions';
import { fieldsOf, optionalText, text } from './params';
import { toRefusal } from './refusal';

/** What comes of a message. */
export type Act =
  | { kind: 'reply'; reply: ExecResponse }
  | { kind: 'enter'; session: ExecSession; reply: ExecResponse }
  | { kind: 'run'; request: ExecRequest }
  | { kind: 'none' }
  | { kind: 'end' };

export type At = { phase: 'new' | 'greeted' | 'ready'; act: Act };

export type AdmitDeps = { sessions: ExecSessions; source: string; log: Log };

/**
 * A connection wants a handshake, once, in its order; what breaks the protocol ends it. It takes a moment where a session
 * is to be resumed that another connection has.
 */
export const admit = (deps: AdmitDeps, { phase }: At, message: ExecMessage): At | Observable<At> =>
  message.kind === 'request' && message.method === 'initialize'
    ? initialize(deps, phase, message)
    : hear(deps, phase, message);

const hear = (deps: AdmitDeps, phase: At['phase'], message: ExecMessage): At => {
  switch (message.kind) {
    case 'fault':
      return { phase, act: refuse(-1, `failed to parse ${deps.source}: ${message.message}`) };
    case 'response':
      return violation(deps, phase, 'the client answered, but nothing was asked');
    case 'notification':
      if (message.method !== 'initialized') return violation(deps, phase, `unknown notification ${message.method}`);
      if (phase === 'new') return violation(deps, phase, 'initialized came before initialize');
      return { phase: 'ready', act: { kind: 'none' } };
    case 'request':
      return { phase, act: admitRequest(deps, phase, message) };
  }
};

const refuse = (id: ExecRequest['id'], reason: string, code = INVALID_REQUEST): Act => ({
  kind: 'reply',
  reply: toRefusal(id, new RpcError(code, reason)),
});

const violation = ({ log }: AdmitDeps, phase: At['phase'], why: string): At => {
  log('warning', 'the client broke the protocol; the connection ends', { why });
  return { phase, act: { kind: 'end' } };
};

const initialize = ({ sessions }: AdmitDeps, phase: At['phase'], { id, params }: ExecRequest): Observable<At> =>
  defer(() => {
    if (phase !== 'new') throw new RpcError(INVALID_REQUEST, 'initialize may only be sent once per connection');
    const fields = fieldsOf(params);
    text(fields, 'clientName');
    return sessions.enter(optionalText(fields, 'resumeSessionId'));
  }).pipe(
    map((session): At => {
      const reply: ExecResponse = { kind: 'response', id, result: { sessionId: session.id } };
      return { phase: 'greeted', act: { kind: 'enter', session, reply } };
    }),
    catchError((error) => of<At>({ phase, act: { kind: 'reply', reply: toRefusal(id, error) } })),
  );

const FAMILIES: [RegExp, string][] = [
  [/^process\//, 'exec'],
  [/^fs\//, 'filesystem'],
  [/^http\//, 'http'],
  [/^environment\//, 'environment info'],
];

const admitRequest = ({ sessions }: AdmitDeps, phase: At['phase'], request: ExecRequest): Act => {
  const { id, method } = request;
  if (!sessions.knows(method))
    return refuse(id, `exec-server stub does not implement \`${method}\` yet`, METHOD_NOT_FOUND);
  if (phase === 'ready') return { kind: 'run', request };
  const family = FAMILIES.find(([pattern]) => pattern.test(method))?.[1];
  const must = phase === 'new' ? 'call initialize' : 'send initialized';
  return refuse(id, `client must ${must} before using ${family} methods`);
};
