import { defer, of, throwError } from 'rxjs';
import { toRetryAfterMs } from '../../../src/model/http/retryAfter';
import { FailedAttempt, retryRequest } from '../../../src/model/http/retryRequest';
import { ModelError } from '../../../src/protocol/model';
import { marbles } from '../../support/marbles';

const finalError = new ModelError('no more', true);
const failed = (waitMs?: number) => new FailedAttempt(finalError, waitMs);
const random = () => 0.5;

describe('retryRequest', () => {
  it(
    'asks again after doubling waits and then emits as if nothing had been',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failing$ = cold('-#', {}, failed());
      const fine$ = cold('   -a|');
      const attempts = [failing$, failing$, failing$, fine$];
      const answer$ = defer(() => attempts.shift() ?? fine$);
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 4, random }))).toBe('1403ms -a|');
      expectSubscriptions(failing$.subscriptions).toBe(['^!', '201ms ^!', '602ms ^!']);
    }),
  );

  it(
    'emits the error of the last attempt when none is left',
    marbles(({ cold, expectObservable }) => {
      const answer$ = cold('#', {}, failed());
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 2, random }))).toBe('600ms #', {}, finalError);
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 0, random }))).toBe('#', {}, finalError);
    }),
  );

  it(
    'waits as long as the server wishes, but no longer than a minute',
    marbles(({ expectObservable }) => {
      const attempts = [failed(1_000), failed(3_600_000)];
      const answer$ = defer(() => {
        const error = attempts.shift();
        return error ? throwError(() => error) : of('a');
      });
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 2, random }))).toBe('61s (a|)');
    }),
  );

  it(
    'passes any other error on at once, also one that follows an emission',
    marbles(({ cold, expectObservable }) => {
      const fatal = new ModelError('no', false);
      expectObservable(cold('-#', {}, fatal).pipe(retryRequest({ maxRetries: 3, random }))).toBe('-#', {}, fatal);
      expectObservable(cold('-a#', undefined, fatal).pipe(retryRequest({ maxRetries: 3, random }))).toBe(
        '-a#',
        undefined,
        fatal,
      );
    }),
  );

  it(
    'is never, empty and stopped as its source is; stopped while it waits, it never asks again',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold('---').pipe(retryRequest({ maxRetries: 3, random }))).toBe('---');
      expectObservable(cold('--|').pipe(retryRequest({ maxRetries: 3, random }))).toBe('--|');
      const answer$ = cold('-#', {}, failed());
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 3, random })), '---!').toBe('----');
      expectSubscriptions(answer$.subscriptions).toBe('^!');
    }),
  );
});

describe('toRetryAfterMs', () => {
  const now = () => Date.parse('2026-10-21T07:28:00Z');
  it.each([
    ['1', 1_000],
    ['0.5', 500],
    ['Wed, 21 Oct 2026 07:28:07 GMT', 7_000],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    [['2', '3'], 2_000],
  ])('reads %j as %s ms', (header, waitMs) => {
    expect(toRetryAfterMs(header, now)).toBe(waitMs);
  });
});
