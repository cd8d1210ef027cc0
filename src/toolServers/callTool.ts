/** Owns one call of a tool at its server: progress, questions, the time limit, the end. */
import {
  catchError,
  connect,
  defer,
  filter,
  finalize,
  type MonoTypeOperatorFunction,
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
  tap,
  timer,
} from 'rxjs';
import type { Peer } from '../executor';
import type { ReviewResult } from '../protocol/codex';
import { isObject, type JsonObject, type Notification, type Request } from '../protocol/jsonrpc';
import { ofKind } from '../streams';
import { failed, toDone } from './toDone';
import type { CallEvent } from './toolServer';

/**
 * @param peer the server; @param open ids of the calls it has, the newest last, for a question names no call
 * @param timeoutMs how long it may say nothing about the call; a person may take any time to answer its question
 */
export type CallDeps = { server: string; peer: Peer; open: Set<number>; timeoutMs: number };

/**
 * Emits what becomes of the call; the last is `done`. Never errors. Unsubscribing, or silence for too long, tells the server
 * that the call is cancelled.
 *   server  --p--e---R      (p progress, e elicitation/create, R the result)
 *   out     --P--A---(D|)   (A asked, D done)
 */
export const callTool = (
  { server, peer, open, timeoutMs }: CallDeps,
  tool: string,
  args: JsonObject | undefined,
): Observable<CallEvent> =>
  defer(() => {
    const id = peer.newId();
    const answered$ = new Subject<void>(); // from whoever answers, back to the clock
    const isMine = (word: Request) => word.method === 'elicitation/create' && [...open].at(-1) === id;
    let reason = 'the call was taken back';
    const end = (why: string): CallEvent => failed(`tool call failed for \`${server}/${tool}\`: ${why}`);
    open.add(id);
    return merge(
      peer.word$.pipe(ofKind('notification'), filter(isProgressOf(id)), map(toProgress)),
      peer.word$.pipe(
        ofKind('request'),
        filter(isMine),
        map((request) => toAsked(peer, request, () => answered$.next())),
      ),
      peer.ask('tools/call', toParams(id, tool, args), id).pipe(
        map((result): CallEvent => toDone(result)),
        catchError((error: Error) => of(end(error.message))),
        tap(() => open.delete(id)), // it ended by itself, so there is nothing to cancel
      ),
    ).pipe(
      untilSilent(answered$, timeoutMs, () => {
        reason = `nothing was heard of it for ${timeoutMs / 1000} s`;
        return end(reason);
      }),
      takeWhile(({ kind }) => kind !== 'done', true),
      catchError((error: Error) => of(end(error.message))),
      finalize(() => {
        if (open.delete(id)) peer.say(cancelled(id, reason));
      }),
    );
  });

const toParams = (id: number, name: string, args: JsonObject | undefined): JsonObject => ({
  name,
  ...(args && { arguments: args }),
  _meta: { progressToken: id },
});

const isProgressOf =
  (id: number) =>
  ({ method, params }: Notification): boolean =>
    method === 'notifications/progress' && params.progressToken === id;

const toProgress = ({ params }: Notification): CallEvent => ({ kind: 'progress', message: toWords(params) });

/**
 * The news, and an end of our own when there was none for too long; a question stops the clock until it is answered.
 *   news      --p--A--------|
 *   answered  ---------y
 *   out       --p--A----------E   (E the end, so long after y)
 */
const untilSilent =
  (answered$: Observable<void>, ms: number, end: () => CallEvent): MonoTypeOperatorFunction<CallEvent> =>
  (news$) =>
    news$.pipe(
      connect((shared$) =>
        merge(
          shared$,
          merge(shared$.pipe(map(({ kind }) => kind === 'question')), answered$.pipe(map(() => false))).pipe(
            startWith(false),
            switchMap((isAsking) => (isAsking ? NEVER : timer(ms))),
            take(1),
            map(end),
          ),
        ),
      ),
    );

const cancelled = (requestId: number, reason: string) =>
  ({ kind: 'notification', method: 'notifications/cancelled', params: { requestId, reason } }) as const;

/** `indexing (3 of 10)` */
const toWords = ({ message, progress, total }: JsonObject): string => {
  const amount = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return typeof message === 'string' && message !== '' ? `${message} (${amount})` : amount;
};

const toAsked = (peer: Peer, { id, params }: Request, told: () => void): CallEvent => {
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : undefined;
  const isForm = schema !== undefined && Object.keys(isObject(schema.properties) ? schema.properties : {}).length > 0;
  return {
    kind: 'question',
    message: typeof params.message === 'string' ? params.message : '',
    ...(isForm && { schema }),
    answer: (verdict) => {
      peer.say({ kind: 'response', id, result: isForm ? filled(verdict) : agreed(verdict) });
      told();
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
