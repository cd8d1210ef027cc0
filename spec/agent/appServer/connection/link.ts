/** Owns a link to an app-server for specs: its messages and its responses are marbles, what it is sent is kept. */
import { defer, NEVER, type Observable } from 'rxjs';
import type { Link, ServerMessage } from '../../../../src/agent/appServer/connection/link';
import type { JsonObject } from '../../../../src/protocol/jsonrpc/json';

export const THREAD = 't1';

export const notification = (method: string, params: JsonObject = {}) => ({
  kind: 'notification' as const,
  method,
  params: { threadId: THREAD, ...params },
});

/** @param results by method; a method without one is never answered */
export const linkDouble = (
  message$: Observable<ServerMessage>,
  results: Record<string, () => Observable<JsonObject>> = {},
) => {
  const requests: [string, JsonObject][] = [];
  const forgotten: string[] = [];
  const responses: [unknown, JsonObject][] = [];
  const givenUp: string[] = [];
  const link: Link = {
    release: '',
    request: (method, params) =>
      defer(() => {
        requests.push([method, params]);
        return results[method]?.() ?? NEVER;
      }),
    requestAndForget: (method) => void forgotten.push(method),
    respond: (id, result) => void responses.push([id, result]),
    messagesOf: () => message$,
    giveUp: (threadId) => void givenUp.push(threadId),
    configFault$: NEVER,
  };
  return { link, requests, forgotten, responses, givenUp };
};
