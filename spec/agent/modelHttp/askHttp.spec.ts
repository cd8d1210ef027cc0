/** What a model server answers in place of a stream of events, as the caller reads it. */
import { concatMap, lastValueFrom, NEVER, of, retry, throwError } from 'rxjs';
import { models } from '../../../src/agent/model/models';
import { countRequests, hideInErrors } from '../../../src/agent/modelHttp/askHttp';
import type { HttpBody, HttpPost, HttpResponse } from '../../../src/io/http/httpRequest';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';
import { answer, httpDeps, provider, question, serverOf } from '../../support/models';

const modelAt = (made: HttpResponse, own = {}) => {
  const deps = { ...httpDeps(serverOf([of(made)]).post), readFile: () => '', version: '1' };
  return models(deps)(provider({ envKey: undefined, ...own }))(question());
};
const failureOf = async (made: HttpResponse): Promise<ModelError> =>
  lastValueFrom(modelAt(made)).catch((error) => error);

describe('askHttp', () => {
  it.each<[string, HttpResponse, string, boolean]>([
    [
      'the text of a page',
      answer(of('<html><style>p {}</style><h1>Log', ' in</h1>\n<p>to the proxy</p></html>')),
      'the model server answered with a document instead of a stream of events: Log in to the proxy',
      false,
    ],
    [
      'the message of an error in JSON',
      answer(of('{"error":{"message":"no such model"}}')),
      'stream disconnected before completion: no such model',
      true,
    ],
    [
      'an error that is a text',
      answer(of('{"error":"no such model"}')),
      'stream disconnected before completion: no such model',
      true,
    ],
    ['a fatal error', answer(of('{"error":{"message":"no money","code":"insufficient_quota"}}')), 'no money', false],
    [
      'any other JSON, cut',
      answer(of(`{"object":"response","text":"${'x'.repeat(700)}"}`)),
      `the model server answered with a document instead of a stream of events: {"object":"response","text":"${'x'.repeat(571)}…`,
      false,
    ],
    [
      'the new address of a redirect, without its query',
      answer(of('moved'), {
        status: 307,
        statusText: 'Temporary Redirect',
        headers: { location: 'https://b/v1?key=k' },
      }),
      'unexpected status 307 Temporary Redirect: the server redirects to https://b/v1; set base_url to the new address. moved',
      false,
    ],
  ])('reports %s', async (_, made, message, retryable) => {
    const error = await failureOf(made);
    expect(error.message).toBe(message);
    expect(error.retryable).toBe(retryable);
  });

  it.each([
    ['the provider allows', undefined, 4],
    ['all attempts of an answer may take', { maxRequests: 2 }, 2],
  ])('sends a request that fails as often as %s', (_, limits, count) => {
    const { post, sent } = serverOf([of(answer(of('busy'), { status: 503, statusText: 'Busy' }))]);
    marbles(({ flush }) => {
      const deps = { ...httpDeps(post), readFile: () => '', version: '1' };
      models(deps)(provider({ envKey: undefined, requestMaxRetries: 3 }))(question(), limits).subscribe({
        error: () => {},
      });
      flush();
    })();
    expect(sent).toHaveLength(count);
  });

  it.each([
    ['refreshes the login first where the provider takes it', true, 1],
    ['refreshes no login where the provider takes none', false, 0],
  ])('%s', async (_, requiresOpenaiAuth, count) => {
    let fresh = 0;
    const freshAuth = () => {
      fresh += 1;
      return of(null);
    };
    const deps = {
      ...httpDeps(serverOf([of(answer(of('{}')))]).post, { freshAuth }),
      readFile: () => '',
      version: '1',
    };
    const asked$ = models(deps)(provider({ envKey: undefined, requiresOpenaiAuth }))(question());
    await lastValueFrom(asked$).catch(() => {});
    expect(fresh).toBe(count);
  });

  it(
    'ends a stream that has nothing but comments for three times its limit',
    marbles(({ cold, expectObservable }) => {
      const comments = Array.from({ length: 8 }, () => 'c 499ms ').join('');
      const model$ = modelAt(answer(cold(comments, { c: ': still here\n\n' })), { streamIdleTimeoutMs: 1_000 });
      expectObservable(model$).toBe(
        '3s #',
        undefined,
        expect.objectContaining({ message: expect.stringContaining('idle timeout') }),
      );
    }),
  );

  it(
    'waits for a silent stream as long as its limit',
    marbles(({ expectObservable }) => {
      const model$ = modelAt(answer(NEVER), { streamIdleTimeoutMs: 1_000 });
      expectObservable(model$).toBe('1s #', undefined, expect.objectContaining({ retryable: true }));
    }),
  );

  it.each([
    ['once more with another login, where the server rejected the one before', true, 2],
    ['once, where there is no other login', false, 1],
  ])('asks %s', async (_, isOther, count) => {
    const { post, sent } = serverOf([of(answer(of('no'), { status: 401, statusText: 'Unauthorized' }))]);
    const deps = { ...httpDeps(post, { refreshAuth: () => of(isOther) }), readFile: () => '', version: '1' };
    const asked$ = models(deps)(provider({ envKey: undefined, requestMaxRetries: 0 }))(question());
    await lastValueFrom(asked$).catch(() => {});
    expect(sent).toHaveLength(count);
  });

  it('names the server that cannot be reached', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const deps = { ...httpDeps(() => throwError(() => refused)), readFile: () => '', version: '1' };
    const asked$ = models(deps)(provider({ envKey: undefined, requestMaxRetries: 0 }))(question());
    const error = await lastValueFrom(asked$).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'ModelError', message: expect.stringContaining('http://mock/v1') });
  });
});

const SECRETS = ['value-of-a-header', undefined];
const tried = { requests: 2, timedOut: true };

describe('hideInErrors', () => {
  it(
    'takes secrets out of the error of a model, and keeps the rest of it',
    marbles(({ cold, expectObservable }) => {
      const error = new ModelError('no value-of-a-header', true, tried);
      const hidden = new ModelError('no ***', true, tried);
      expectObservable(cold('-e-#', undefined, error).pipe(hideInErrors(SECRETS))).toBe('-e-#', undefined, hidden);
    }),
  );

  it(
    'passes other errors, and an answer that completes',
    marbles(({ cold, expectObservable }) => {
      const bug = new TypeError('value-of-a-header');
      expectObservable(cold('-#', undefined, bug).pipe(hideInErrors(SECRETS))).toBe('-#', undefined, bug);
      expectObservable(cold('e-|').pipe(hideInErrors(SECRETS))).toBe('e-|');
    }),
  );
});

const request = { url: 'u', headers: {}, body: '' };
const timedOut = new ModelError('late', true, { requests: 1, timedOut: true });

/** The number in the error of an answer that tries three times. */
const countOf = (post: HttpPost<HttpBody>, error: unknown) => {
  const errors: unknown[] = [];
  countRequests(post, (counted) =>
    counted(request).pipe(
      concatMap(() => throwError(() => error)),
      retry(2),
    ),
  ).subscribe({
    error: (last) => errors.push(last),
  });
  return errors;
};

describe('countRequests', () => {
  it('adds the number of requests to a ModelError, and leaves the rest of it', () => {
    const [error] = countOf(() => of(answer(of(''))), timedOut);
    expect(error).toMatchObject({ message: 'late', retryable: true, tried: { requests: 3, timedOut: true } });
  });

  it('passes any other error on as it is', () => {
    const bug = new Error('bug');
    expect(countOf(() => of(answer(of(''))), bug)).toEqual([bug]);
  });

  it(
    'counts none where nothing was sent, and from one again for the next subscription',
    marbles(({ cold, expectObservable }) => {
      const missing = new ModelError('no key', false);
      const answer$ = countRequests(
        () => cold('-#', {}, timedOut),
        (post) => post(request),
      );
      expectObservable(
        countRequests(
          () => cold('-'),
          () => throwError(() => missing),
        ),
      ).toBe('#', {}, expect.objectContaining({ tried: { requests: 0, timedOut: false } }));
      const one = expect.objectContaining({ tried: { requests: 1, timedOut: true } });
      expectObservable(answer$).toBe('-#', {}, one);
      expectObservable(answer$).toBe('-#', {}, one);
    }),
  );

  it(
    'emits, ends and stops as the answer does',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const body$ = cold('-a-b|');
      expectObservable(
        countRequests(
          () => of(),
          () => body$,
        ),
      ).toBe('-a-b|');
      expectObservable(
        countRequests(
          () => of(),
          () => body$,
        ),
        '--!',
      ).toBe('-a');
      expectObservable(
        countRequests(
          () => of(),
          () => cold('|'),
        ),
      ).toBe('|');
      expectSubscriptions(body$.subscriptions).toBe(['^---!', '^-!']);
    }),
  );
});
