/** What the attempts at one answer may take together: requests and time, of a server that fails, is silent, or drips. */
import { concat, concatMap, firstValueFrom, interval, map, NEVER, type Observable, of } from 'rxjs';
import { models } from '../../../src/agent/model/models';
import { afterBreak } from '../../../src/agent/sampling/attempts';
import type { HttpResponse } from '../../../src/io/http/httpRequest';
import { type Model, ModelError } from '../../../src/protocol/model/model';
import type { Provider } from '../../../src/protocol/model/provider';
import { marbles } from '../../support/marbles';
import { answer, httpDeps, provider, serverOf, sseOf } from '../../support/models';
import { agentOf, around, turn, turnOf } from '../support';

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

  it('wait as long as the server asks in its words, but no more than a minute', () => {
    const failed = (wait: string) => ({
      type: 'response.failed',
      response: { error: { message: `Try again in ${wait}` } },
    });
    const own = { streamMaxRetries: 2 };
    const e = (wait: string) => ({ e: `stream disconnected before completion: Try again in ${wait}` });
    const errorAfter = (wait: string) => turnWith(of(answer(of(sseOf(failed(wait))))), own).error$;
    marbles(({ expectObservable }) => expectObservable(errorAfter('11s')).toBe('22s (e|)', e('11s')))();
    marbles(({ expectObservable }) => expectObservable(errorAfter('4m')).toBe('120s (e|)', e('4m')))();
    marbles(({ expectObservable }) => expectObservable(errorAfter('2h')).toBe('(e|)', { e: 'Try again in 2h' }))();
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

describe('afterBreak', () => {
  const kindAfter = async (message: string): Promise<string> => {
    const sample = { kind: 'sample' as const, attempt: 0, lastMessage: null, tried: { requests: 1, sinceMs: 0 } };
    const turn = turnOf(() => NEVER, {}, around({}));
    const step$ = afterBreak({ random: () => 0 }, turn, { sample, error: new ModelError(message, false) });
    const { kind } = await firstValueFrom(step$);
    return kind;
  };

  it.each([
    "This model's maximum context length is 128000 tokens.",
    'Your input exceeds the context window of this model.',
    'prompt is too long: 214000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
    'Input is too long for requested model.',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
    'Please reduce the length of the messages or completion.',
    'Request too large for model `x` on tokens per minute (TPM): Limit 8000, Requested 12000',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'too many tokens: total number of tokens in the prompt cannot exceed 128000',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097.',
    'Input validation error: `inputs` must have less than 1024 tokens.',
    'Invalid request: Your request exceeded model token limit: 8192',
    'Prompt exceeds max length',
    'InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]',
    'Total tokens of image and text exceed max message tokens.',
    'The decoder prompt (length 40000) is longer than the maximum model length of 32768.',
    'context shift is disabled',
    'prompt token count of 140000 exceeds the limit of 128000',
    'length of prompt_tokens (32790) must be less than max_seq_len (32768).',
    'litellm.ContextWindowExceededError: x',
    'unexpected status 413 Payload Too Large: <html>',
  ])('takes %j for a conversation that is too long', async (message) => {
    expect(await kindAfter(message)).toBe('tooLong');
  });

  it.each([
    'Too many tokens, please wait before trying again.',
    'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.',
    'unexpected status 400 Bad Request: 413 is no tool',
  ])('takes %j for any other error', async (message) => {
    expect(await kindAfter(message)).toBe('event');
  });
});
