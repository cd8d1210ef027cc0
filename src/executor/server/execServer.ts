/** Owns the exec-server as an operator from messages to messages: the handshake, the session behind it, its end. */
import {
  catchError,
  connect,
  defer,
  last,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  takeUntil,
  takeWhile,
} from 'rxjs';
import type { Log } from '../../log';
import {
  type ExecMessage,
  type ExecOutgoing,
  type ExecRequest,
  type ExecResponse,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  RpcError,
  toErrorObject,
} from '../../protocol';
import { ofKind } from '../../streams';
import { type FileMethodsDeps, fileMethods } from './fileMethods';
import { type HttpMethodsDeps, httpMethods } from './httpMethods';
import { fieldsOf, optionalText, text } from './params';
import { type ProcessMethodsDeps, processMethods } from './processMethods';
import { answer, type Method, type Said } from './said';

/** `shell` is what environment/info tells; `newId` names sessions. */
export type ExecServerDeps = ProcessMethodsDeps &
  FileMethodsDeps &
  HttpMethodsDeps & {
    shell: { name: string; path: string };
    newId: () => string;
    log: Log;
  };

/**
 * One connection. Requests are answered as they are done, so none waits for another; what a process does is told in the
 * order of `seq`, after the answer to its start. Completes at the end of the messages, and when the client broke
 * the protocol; then all its processes end.
 *   in   i-n-s----r--k---|     (i initialize, n initialized, s start, r a long poll, k terminate)
 *   out  I---S-oo----Kx(zR)
 * Source: codex exec-server 0.142.0, run over stdio.
 */
export const execServer =
  (deps: ExecServerDeps): OperatorFunction<ExecMessage, ExecOutgoing> =>
  (message$) => {
    const known = new Set(Object.keys(methodsOf(deps)));
    return message$.pipe(
      scan((at: At, message) => greet(deps, known, at, message), { phase: 'new', act: { kind: 'none' } }),
      map(({ act }) => act),
      takeWhile(({ kind }) => kind !== 'end'),
      connect((act$) =>
        merge(
          act$.pipe(
            ofKind('reply'),
            map(({ reply }) => reply),
          ),
          act$.pipe(
            ofKind('run'),
            map(({ request }) => request),
            session(deps),
            takeUntil(act$.pipe(last(null, null))),
          ),
        ),
      ),
    );
  };

/** What comes of a message. */
type Act =
  | { kind: 'reply'; reply: ExecResponse }
  | { kind: 'run'; request: ExecRequest }
  | { kind: 'none' }
  | { kind: 'end' };
type At = { phase: 'new' | 'greeted' | 'ready'; act: Act };

const greet = (deps: ExecServerDeps, known: ReadonlySet<string>, { phase }: At, message: ExecMessage): At => {
  switch (message.kind) {
    case 'fault': {
      const reason = `failed to parse JSON-RPC message from exec-server stdio: ${message.message}`;
      return { phase, act: reply(toRefusal(-1, new RpcError(INVALID_REQUEST, reason))) };
    }
    case 'response':
      return violation(deps, phase, 'the client answered, but nothing was asked');
    case 'notification':
      if (message.method !== 'initialized') return violation(deps, phase, `unknown notification ${message.method}`);
      if (phase === 'new') return violation(deps, phase, 'initialized came before initialize');
      return { phase: 'ready', act: { kind: 'none' } };
    case 'request':
      return message.method === 'initialize'
        ? initialize(deps, phase, message)
        : { phase, act: admit(known, phase, message) };
  }
};

const reply = (response: ExecResponse): Act => ({ kind: 'reply', reply: response });

const violation = ({ log }: ExecServerDeps, phase: At['phase'], why: string): At => {
  log('warning', 'the client broke the protocol; the connection ends', { why });
  return { phase, act: { kind: 'end' } };
};

const initialize = ({ newId }: ExecServerDeps, phase: At['phase'], { id, params }: ExecRequest): At => {
  try {
    if (phase !== 'new') throw new RpcError(INVALID_REQUEST, 'initialize may only be sent once per connection');
    const fields = fieldsOf(params);
    text(fields, 'clientName');
    const resumed = optionalText(fields, 'resumeSessionId');
    if (resumed !== undefined) throw new RpcError(INVALID_REQUEST, `unknown session id ${resumed}`);
    return { phase: 'greeted', act: reply({ kind: 'response', id, result: { sessionId: newId() } }) };
  } catch (error) {
    return { phase, act: reply(toRefusal(id, error)) };
  }
};

const FAMILIES: [RegExp, string][] = [
  [/^process\//, 'exec'],
  [/^fs\//, 'filesystem'],
  [/^http\//, 'http'],
  [/^environment\//, 'environment info'],
];

const admit = (known: ReadonlySet<string>, phase: At['phase'], request: ExecRequest): Act => {
  const { id, method } = request;
  if (!known.has(method)) {
    return reply(
      toRefusal(id, new RpcError(METHOD_NOT_FOUND, `exec-server stub does not implement \`${method}\` yet`)),
    );
  }
  if (phase === 'ready') return { kind: 'run', request };
  const family = FAMILIES.find(([pattern]) => pattern.test(method))?.[1];
  const must = phase === 'new' ? 'call initialize' : 'send initialized';
  return reply(toRefusal(id, new RpcError(INVALID_REQUEST, `client must ${must} before using ${family} methods`)));
};

/** The methods of one session. */
const methodsOf = (deps: ExecServerDeps): Record<string, Method> => ({
  ...processMethods(deps),
  ...fileMethods(deps),
  ...httpMethods(deps),
  'environment/info': () => of(answer({ shell: deps.shell })),
});

/** What a session owns: processes and open files. They are let go when nobody listens. */
const session =
  (deps: ExecServerDeps) =>
  (request$: Observable<ExecRequest>): Observable<ExecOutgoing> =>
    defer(() => {
      const methods = methodsOf(deps);
      return request$.pipe(mergeMap((request) => run(deps, methods[request.method] as Method, request)));
    });

const run = ({ log }: ExecServerDeps, method: Method, { id, params }: ExecRequest): Observable<ExecOutgoing> =>
  defer(() => method(params)).pipe(
    map((said: Said) => (said.kind === 'answer' ? { kind: 'response' as const, id, result: said.result } : said)),
    catchError((error) => {
      if (!(error instanceof RpcError)) log('error', 'a request failed', { stack: (error as Error).stack });
      return of(toRefusal(id, error));
    }),
  );

const toRefusal = (id: ExecRequest['id'], error: unknown): ExecResponse => ({
  kind: 'response',
  id,
  error:
    error instanceof RpcError
      ? toErrorObject(error)
      : { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) },
});
