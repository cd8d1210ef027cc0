import { concatMap, of, retry, throwError } from 'rxjs';
import { countRequests } from '../../../src/agent/modelHttp/askHttp';
import type { HttpPost } from '../../../src/io/http/httpRequest';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';
import { answer } from '../../support/models';

const request = { url: 'u', headers: {}, body: '' };
const timedOut = new ModelError('late', true, { requests: 1, timedOut: true });

/** The number in the error of an answer that tries three times. */
const countOf = (post: HttpPost, error: unknown) => {
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
