/** What the attempts at one answer may take together: requests and time, of a server that fails, is silent, or drips. */
import { concat, concatMap, interval, map, NEVER, type Observable, of } from 'rxjs';
import { models } from '../../../src/agent/model/models';
import type { HttpResponse } from '../../../src/io/http/httpRequest';
import type { Model } from '../../../src/protocol/model/model';
import type { Provider } from '../../../src/protocol/model/provider';
import { marbles } from '../../support/marbles';
import { answer, httpDeps, provider, serverOf, sseOf } from '../../support/models';
import { agentOf, turn } from '../support';

/** The limits of a provider that configures none. */
const usual: Partial<Provider> = {
  requestMaxRetries: 4,
  streamMaxRetries: 5,
  maxRetries: 9,
  answerTimeoutMs: 1_800_000,
};

/** A turn with a model server: the texts of its errors, and what it was sent. */
const turnWith = (answer$: Observable<HttpResponse>, own: Partial<Provider> = {}) => {
  const server = serverOf([answer$]);
  const at = provider({ ...usual, ...own });
  const model: Model = models({ ...httpDeps(server.post), readFile: () => '', version: '1' })(at);
  const { agent } = agentOf({ own: { provider: at }, deps: { modelOf: () => model } });
  const error$ = agent(of(turn('a', { start: {} }))).pipe(
    concatMap((event) => (event.kind === 'event' && event.msg.type === 'error' ? [event.msg.message] : [])),
  );
  return { error$, sent: server.sent };
};

const created = sseOf({ type: 'response.created' });
const delta = sseOf({ type: 'response.output_text.delta', delta: 'o' });
const late = 'no complete answer of the model within 1800 s, which answer_timeout_ms of the model provider sets';

describe('the attempts at one answer', () => {
  const busy = of(answer(of(''), { status: 503, statusText: 'Service Unavailable' }));

  it.each<[string, Partial<Provider>, string, number]>([
    ['ten requests by default', {}, '6200ms (e|)', 10],
    ['as many as both limits give where that is less', { requestMaxRetries: 1, streamMaxRetries: 1 }, '600ms (e|)', 4],
    ['one more than max_retries', { maxRetries: 5 }, '3200ms (e|)', 6],
    ['one where max_retries is 0', { maxRetries: 0 }, '(e|)', 1],
    ['one where there are no retries', { requestMaxRetries: 0, streamMaxRetries: 0 }, '(e|)', 1],
  ])('are %s', (_, own, marble, requests) => {
    const { error$, sent } = turnWith(busy, own);
    const e = 'exceeded retry limit, last status: 503 Service Unavailable';
    marbles(({ expectObservable }) => expectObservable(error$).toBe(marble, { e }))();
    expect(sent).toHaveLength(requests);
  });

  it('end in bounded time when the server accepts and never answers', () => {
    const { error$, sent } = turnWith(NEVER);
    marbles(({ expectObservable }) => expectObservable(error$).toBe('1800s (e|)', { e: `${late}; tried 6 times` }))();
    expect(sent).toHaveLength(6);
  });

  it('end sooner where the provider has shorter limits, and name the tries', () => {
    const own = { streamIdleTimeoutMs: 1_000, streamMaxRetries: 2 };
    const silent =
      'no answer from http://mock/v1/responses within 1 s, which stream_idle_timeout_ms of the model provider sets';
    const { error$, sent } = turnWith(NEVER, own);
    const marble = '3600ms (e|)';
    marbles(({ expectObservable }) => expectObservable(error$).toBe(marble, { e: `${silent}; tried 3 times` }))();
    expect(sent).toHaveLength(3);
    const begun = turnWith(of(answer(concat(of(created), NEVER))), own);
    const idle = 'stream disconnected before completion: idle timeout waiting for SSE; tried 3 times';
    marbles(({ expectObservable }) => expectObservable(begun.error$).toBe(marble, { e: idle }))();
  });

  it('end in bounded time when the server drips', () => {
    const drip$ = interval(60_000).pipe(map(() => delta));
    const { error$, sent } = turnWith(of(answer(drip$)));
    marbles(({ expectObservable }) => expectObservable(error$).toBe('1800s (e|)', { e: late }))();
    expect(sent).toHaveLength(1);
  });
});
