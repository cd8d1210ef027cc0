import { defer, EMPTY, NEVER, of, throwError } from 'rxjs';
import { FailedAttempt, Unauthorized } from '../../../src/agent/modelHttp/failures';
import { retryRequest } from '../../../src/agent/modelHttp/retryRequest';
import { toRetryAfterMs } from '../../../src/agent/modelHttp/statusFailure';
import { ModelError } from '../../../src/protocol/model/model';
import { marbles } from '../../support/marbles';

const finalError = new ModelError('no more', true);
const failed = (waitMs?: number) => new FailedAttempt(finalError, waitMs);
const random = () => 0.5;
const refresh = () => NEVER;

const loginLost = new ModelError('log in', false);
const rejected = new Unauthorized(loginLost);

describe('retryRequest', () => {
  it(
    'asks again after doubling waits and then emits as if nothing had been',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failing$ = cold('-#', {}, failed());
      const fine$ = cold('   -a|');
      const attempts = [failing$, failing$, failing$, fine$];
      const answer$ = defer(() => attempts.shift() ?? fine$);
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 4, random, refresh }))).toBe('1403ms -a|');
      expectSubscriptions(failing$.subscriptions).toBe(['^!', '201ms ^!', '602ms ^!']);
    }),
  );

  it(
    'emits the error of the last attempt when none is left',
    marbles(({ cold, expectObservable }) => {
      const answer$ = cold('#', {}, failed());
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 2, random, refresh }))).toBe('600ms #', {}, finalError);
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 0, random, refresh }))).toBe('#', {}, finalError);
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
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 2, random, refresh }))).toBe('61s (a|)');
    }),
  );

  it(
    'passes any other error on at once, also one that follows an emission',
    marbles(({ cold, expectObservable }) => {
      const fatal = new ModelError('no', false);
      expectObservable(cold('-#', {}, fatal).pipe(retryRequest({ maxRetries: 3, random, refresh }))).toBe(
        '-#',
        {},
        fatal,
      );
      expectObservable(cold('-a#', undefined, fatal).pipe(retryRequest({ maxRetries: 3, random, refresh }))).toBe(
        '-a#',
        undefined,
        fatal,
      );
    }),
  );

  it(
    'is never, empty and stopped as its source is; stopped while it waits, it never asks again',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold('---').pipe(retryRequest({ maxRetries: 3, random, refresh }))).toBe('---');
      expectObservable(cold('--|').pipe(retryRequest({ maxRetries: 3, random, refresh }))).toBe('--|');
      const answer$ = cold('-#', {}, failed());
      expectObservable(answer$.pipe(retryRequest({ maxRetries: 3, random, refresh })), '---!').toBe('----');
      expectSubscriptions(answer$.subscriptions).toBe('^!');
    }),
  );
});

describe('retryRequest, where the credential is rejected', () => {
  const none = { maxRetries: 0, random };

  it(
    'asks again once there is another credential',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold('-#', {}, rejected);
      const then$ = cold('    -a|');
      const attempts = [first$, then$];
      const refresh$ = cold(' --(y|)', { y: true });
      expectObservable(
        defer(() => attempts.shift() ?? EMPTY).pipe(retryRequest({ ...none, refresh: () => refresh$ })),
      ).toBe('----a|');
      expectSubscriptions(refresh$.subscriptions).toBe('-^-!');
      expectSubscriptions(then$.subscriptions).toBe('   ---^-!');
    }),
  );

  it(
    'errors where there is none, and for a second rejection',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('-#', {}, rejected);
      const no$ = cold('--(n|)', { n: false });
      expectObservable(answer$.pipe(retryRequest({ ...none, refresh: () => no$ }))).toBe('---#', {}, loginLost);
      expectObservable(answer$.pipe(retryRequest({ ...none, refresh: () => cold('|') }))).toBe('-#', {}, loginLost);
      expectObservable(answer$.pipe(retryRequest({ ...none, refresh: () => cold('(y|)', { y: true }) }))).toBe(
        '--#',
        {},
        loginLost,
      );
      expectSubscriptions(answer$.subscriptions).toBe(['^!', '^!', '^!', '-^!']);
    }),
  );

  it(
    'leaves everything else as it is, and stops the refresh that nobody waits for',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const other = new ModelError('no', false);
      const refresh$ = cold('----(y|)', { y: true });
      const refresh = () => refresh$;
      expectObservable(cold('-a-|').pipe(retryRequest({ ...none, refresh }))).toBe('-a-|');
      expectObservable(cold('-|').pipe(retryRequest({ ...none, refresh }))).toBe('-|');
      expectObservable(cold('-').pipe(retryRequest({ ...none, refresh }))).toBe('-');
      expectObservable(cold('-a#', undefined, other).pipe(retryRequest({ ...none, refresh }))).toBe(
        '-a#',
        undefined,
        other,
      );
      expectObservable(cold('-#', {}, rejected).pipe(retryRequest({ ...none, refresh })), '---!').toBe('---');
      expectSubscriptions(refresh$.subscriptions).toBe('-^-!');
    }),
  );

  it(
    'asks once more for another credential after a failure, and counts no refresh as a retry',
    marbles(({ cold, expectObservable }) => {
      const errors = [rejected, failed(), rejected, rejected];
      const attempt$ = defer(() => {
        const error = errors.shift();
        return error ? throwError(() => error) : EMPTY;
      });
      const refresh = () => cold<boolean>('-(y|)', { y: true });
      expectObservable(attempt$.pipe(retryRequest({ maxRetries: 1, random, refresh }))).toBe('202ms #', {}, loginLost);
    }),
  );

  it(
    'begins again for each subscription',
    marbles(({ cold, expectObservable }) => {
      const retried$ = cold('#', {}, rejected).pipe(
        retryRequest({ ...none, refresh: () => cold<boolean>('-(y|)', { y: true }) }),
      );
      expectObservable(retried$).toBe('-#', {}, loginLost);
      expectObservable(retried$).toBe('-#', {}, loginLost);
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
