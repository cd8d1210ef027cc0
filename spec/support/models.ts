/** Doubles for what lies around a model: a provider, a question, a server that is only values. */
import { asyncScheduler, defer, EMPTY, type Observable, of } from 'rxjs';
import type { HttpDeps } from '../../src/agent/modelHttp/askHttp';
import type { HttpBody, HttpPost, HttpRequest, HttpResponse } from '../../src/io/http/httpRequest';
import type { ModelEvent } from '../../src/protocol/model/events';
import type { ResponseItem } from '../../src/protocol/model/items';
import type { Provider } from '../../src/protocol/model/provider';
import type { ModelRequest } from '../../src/protocol/model/request';
import type { Backpressure } from '../../src/streams/backpressure';
import { startsInTurns } from '../../src/streams/pausing';

export const provider = (own: Partial<Provider> = {}): Provider => ({
  id: 'mock',
  name: 'mock',
  wireApi: 'responses',
  baseUrl: 'http://mock/v1',
  queryParams: {},
  httpHeaders: {},
  envHttpHeaders: {},
  requestMaxRetries: 0,
  streamMaxRetries: 0,
  maxRetries: 9,
  connectTimeoutMs: 0,
  answerTimeoutMs: 0,
  streamIdleTimeoutMs: 300_000,
  requiresOpenaiAuth: false,
  ...own,
});

export const messageOf = (role: string, text: string): ResponseItem => ({
  type: 'message',
  role,
  content: [role === 'assistant' ? { type: 'output_text', text } : { type: 'input_text', text }],
});

export const question = (own: Partial<ModelRequest> = {}): ModelRequest => ({
  threadId: 'thread-1',
  model: 'm',
  instructions: 'be kind',
  input: [messageOf('user', 'hi')],
  tools: [],
  reasoning: null,
  store: true,
  ...own,
});

export const noBackpressure: Backpressure = { isFull: () => false, drain$: EMPTY };

/** The middle of each backoff, no keys, a time of day that stands still, and the given server. */
export const httpDeps = (post: HttpPost<HttpBody>, own: Partial<HttpDeps> = {}): HttpDeps => ({
  post,
  backpressure: noBackpressure,
  env: {},
  readAuth: () => null,
  freshAuth: () => of(null),
  refreshAuth: () => of(false),
  now: () => 0,
  clockMs: () => asyncScheduler.now(),
  random: () => 0.5,
  starts: startsInTurns({ now: () => 0, soon: queueMicrotask }), // a slow machine makes the body in one turn too
  ...own,
});

export const answer = (body$: Observable<string>, own: Partial<HttpResponse> = {}): HttpResponse => ({
  status: 200,
  statusText: 'OK',
  headers: {},
  body$,
  ...own,
});

/** A server that answers the nth request with the nth answer and keeps what it was sent, the body as a text. */
export const serverOf = (answers: Observable<HttpResponse>[]) => {
  const sent: HttpRequest[] = [];
  const post: HttpPost<HttpBody> = ({ body, ...request }) =>
    defer(() => {
      sent.push({ ...request, body: typeof body === 'string' ? body : Buffer.concat(body).toString() });
      return answers[Math.min(sent.length, answers.length) - 1] ?? EMPTY;
    });
  return { post, sent };
};

/** The text of an event stream; strings stand as they are. */
export const sseOf = (...events: (object | string)[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

export const streamOf = (...events: (object | string)[]): Observable<HttpResponse> => of(answer(of(sseOf(...events))));

export const text = (delta: string, itemId = ''): ModelEvent => ({ kind: 'text', itemId, delta });
export const item = (made: ResponseItem): ModelEvent => ({ kind: 'item', item: made });
export const completed = (
  responseId = '',
  usage: (ModelEvent & { kind: 'completed' })['usage'] = null,
): ModelEvent => ({
  kind: 'completed',
  responseId,
  usage,
});
