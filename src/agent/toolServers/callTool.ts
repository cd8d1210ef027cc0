/** One call of a tool at its server: progress, questions, the time limit, the end. */
import {
  catchError,
  connect,
  defer,
  filter,
  finalize,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  startWith,
  switchMap,
  take,
  takeWhile,
  timer,
} from 'rxjs';
import type { ReviewResult } from '../../protocol/codex/approval';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { RpcNotification, RpcRequest } from '../../protocol/rpc/messages';
import type { Peer } from '../../protocol/rpc/peer';
import { cancelledNotification } from './cancelledNotification';
import { failed, toDone } from './toDone';
import type { CallEvent } from './toolServer';

/**
 * @param open ids of the calls that the server is running, the newest last, because a question names no call
 * @param timeoutMs how long the server may send nothing about the call; a person may take any time to answer its question
 */
export type CallDeps = { server: string; peer: Peer<JsonObject>; open: Set<number>; timeoutMs: number };

/**
 * Emits the events of the call; the last is `done`. Never errors. Unsubscribing, or silence for too long, cancels the call at the
 * server.
 *   server  --p--e---R      (p progress, e elicitation/create, R the result)
 *   out     --P--A---(D|)   (A asked, D done)
 */
export const callTool = (
  { server, peer, open, timeoutMs }: CallDeps,
  tool: string,
  args: JsonObject | undefined,
): Observable<CallEvent> =>
  defer(() => {
    let id = 0; // known once the request is sent; ids begin with 1
    const answered$ = new Subject<void>(); // from a person's answer back to the time limit
    const toSent = (newId: number): JsonObject => {
      id = newId;
      open.add(id);
      return toParams(id, tool, args);
    };
    const result$ = (giveUp$: Observable<string>) =>
      peer
        .request('tools/call', toSent, { giveUp$, cancel: cancelledNotification })
        .pipe(map((result): CallEvent => toDone(isObject(result) ? result : {})));
    return incomingOf({ peer, open, idOf: () => id, onAnswer: () => answered$.next() }).pipe(
      connect((event$) => merge(event$, result$(silence({ event$, answered$, timeoutMs })))),
      takeWhile(({ kind }) => kind !== 'done', true),
      catchError((error: Error) => of(failed(`tool call failed for \`${server}/${tool}\`: ${error.message}`))),
      finalize(() => open.delete(id)),
    );
  });

type IncomingDeps = Pick<CallDeps, 'peer' | 'open'> & { idOf: () => number; onAnswer: () => void };

/** What the server sends about the call before its result. A question counts for the newest call, because it names none. */
const incomingOf = ({ peer, open, idOf, onAnswer }: IncomingDeps): Observable<CallEvent> =>
  merge(
    peer.notifications$.pipe(
      filter((notification) => isProgressOf(idOf(), notification)),
      map(toProgress),
    ),
    peer.incomingRequests$.pipe(
      filter(({ method }) => method === 'elicitation/create' && [...open].at(-1) === idOf()),
      map((request) => toAsked(peer, request, onAnswer)),
    ),
  );

const toParams = (id: number, name: string, args: JsonObject | undefined): JsonObject => ({
  name,
  ...(args && { arguments: args }),
  _meta: { progressToken: id },
});

const isProgressOf = (id: number, { method, params }: RpcNotification<JsonObject>): boolean =>
  method === 'notifications/progress' && params.progressToken === id;

const toProgress = ({ params }: RpcNotification<JsonObject>): CallEvent => ({
  kind: 'progress',
  message: toWords(params),
});

type SilenceDeps = { event$: Observable<CallEvent>; answered$: Observable<void>; timeoutMs: number };

/**
 * Emits a reason once nothing has come for too long; a question stops the clock until it is answered.
 *   event     --p--A--------
 *   answered  ---------y
 *   out       ----------------(R|)   (R the reason, `timeoutMs` after y)
 */
const silence = ({ event$, answered$, timeoutMs }: SilenceDeps): Observable<string> =>
  merge(event$.pipe(map(({ kind }) => kind === 'question')), answered$.pipe(map(() => false))).pipe(
    startWith(false),
    switchMap((isAsking) => (isAsking ? NEVER : timer(timeoutMs))),
    take(1),
    map(() => `the server sent nothing about it for ${timeoutMs / 1000} s`),
  );

/** `indexing (3 of 10)` */
const toWords = ({ message, progress, total }: JsonObject): string => {
  const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return typeof message === 'string' && message !== '' ? `${message} (${amount})` : amount;
};

const toAsked = (peer: Peer<JsonObject>, { id, params }: RpcRequest<JsonObject>, onAnswer: () => void): CallEvent => {
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : undefined;
  const isForm = schema !== undefined && Object.keys(isObject(schema.properties) ? schema.properties : {}).length > 0;
  return {
    kind: 'question',
    message: typeof params.message === 'string' ? params.message : '',
    ...(isForm && { schema }),
    answer: (verdict) => {
      peer.respond(id, { result: isForm ? filled(verdict) : agreed(verdict) });
      onAnswer();
    },
  };
};

const agreed = ({ decision }: ReviewResult): JsonObject => {
  if (decision === 'denied') return { action: 'decline' };
  return decision === 'abort' ? { action: 'cancel' } : { action: 'accept', content: {} };
};

const filled = ({ decision, form }: ReviewResult): JsonObject => {
  if (form !== undefined) return { action: 'accept', content: form };
  return { action: decision === 'abort' ? 'cancel' : 'decline' };
};
