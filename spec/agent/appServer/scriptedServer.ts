/** Owns an app-server that does what a spec says, in virtual time, as often as it is started. */
import {
  concatMap,
  defer,
  delay,
  finalize,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
} from 'rxjs';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { RpcIncoming, RpcOutgoing } from '../../../src/protocol/rpc/messages';

type Asked = Extract<RpcOutgoing, { kind: 'request' }>;

/** What a request brings about; `life` counts the processes from 1. */
export type Script = (asked: Asked, life: number) => Observable<RpcIncoming<JsonObject>>;

export const THREAD = 'T';

export const notify = (method: string, params: JsonObject): RpcIncoming<JsonObject> => ({
  kind: 'notification',
  method,
  params,
});
export const answer = ({ id }: Asked, result: JsonObject): RpcIncoming<JsonObject> => ({
  kind: 'response',
  id,
  result,
});
export const failure = ({ id }: Asked, message: string): RpcIncoming<JsonObject> => ({
  kind: 'response',
  id,
  error: { code: -32600, message },
});

const of_ = (turnId: string, status?: string): JsonObject => ({ threadId: THREAD, turn: { id: turnId, status } });
export const started = (turnId: string): RpcIncoming<JsonObject> => notify('turn/started', of_(turnId));
export const completed = (turnId: string, status = 'completed'): RpcIncoming<JsonObject> =>
  notify('turn/completed', of_(turnId, status));

/** Begins threads, loads them, and takes turns, each under an id of its own. */
export const usual: Script = (asked, life) => {
  if (asked.method === 'thread/start' || asked.method === 'thread/resume') {
    return of(answer(asked, { thread: { id: THREAD } })).pipe(delay(1));
  }
  if (asked.method !== 'turn/start') return of(answer(asked, {})).pipe(delay(1));
  const id = `turn ${life}.${asked.id}`;
  return of(answer(asked, { turn: { id } }), started(id), completed(id)).pipe(delay(1));
};

/** The prompt of a turn. */
export const promptOf = ({ method, params }: Asked): string =>
  method === 'turn/start' ? ((params.input as [{ text: string }])[0].text as string) : '';

/** @param received collects the messages of the client, with the number of the process */
export const scriptedServer = (
  script: Script,
  received: string[] = [],
): OperatorFunction<RpcOutgoing, RpcIncoming<JsonObject>> => {
  let lives = 0;
  return (out$) =>
    defer(() => {
      const life = ++lives;
      received.push(`${life} starts`);
      return merge(
        NEVER,
        out$.pipe(
          concatMap((sent) => {
            received.push(
              `${life} ${'method' in sent ? sent.method : JSON.stringify('result' in sent ? sent.result : sent)}`,
            );
            return of(sent);
          }),
          mergeMap((sent) => (sent.kind === 'request' ? script(sent, life) : of())),
        ),
      ).pipe(finalize(() => received.push(`${life} ends`)));
    });
};
