import { defer, EMPTY } from 'rxjs';
import { retryUnauthorized, Unauthorized } from '../../../src/model/http/retryUnauthorized';
import { ModelError } from '../../../src/protocol/model';
import { marbles } from '../../support/marbles';

const finalError = new ModelError('log in', false);
const rejected = new Unauthorized(finalError);

describe('retryUnauthorized', () => {
  it(
    'asks again once there is another credential',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold('-#', {}, rejected);
      const then$ = cold('    -a|');
      const attempts = [first$, then$];
      const refresh$ = cold(' --(y|)', { y: true });
      expectObservable(defer(() => attempts.shift() ?? EMPTY).pipe(retryUnauthorized(() => refresh$))).toBe('----a|');
      expectSubscriptions(refresh$.subscriptions).toBe('-^-!');
      expectSubscriptions(then$.subscriptions).toBe('   ---^-!');
    }),
  );

  it(
    'errors where there is none, and for a second rejection',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold('-#', {}, rejected);
      const no$ = cold('--(n|)', { n: false });
      expectObservable(answer$.pipe(retryUnauthorized(() => no$))).toBe('---#', {}, finalError);
      expectObservable(answer$.pipe(retryUnauthorized(() => cold('|')))).toBe('-#', {}, finalError);
      expectObservable(answer$.pipe(retryUnauthorized(() => cold('(y|)', { y: true })))).toBe('--#', {}, finalError);
      expectSubscriptions(answer$.subscriptions).toBe(['^!', '^!', '^!', '-^!']);
    }),
  );

  it(
    'leaves everything else as it is, and stops the refresh that nobody waits for',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const other = new ModelError('no', false);
      const refresh$ = cold('----(y|)', { y: true });
      const refresh = () => refresh$;
      expectObservable(cold('-a-|').pipe(retryUnauthorized(refresh))).toBe('-a-|');
      expectObservable(cold('-|').pipe(retryUnauthorized(refresh))).toBe('-|');
      expectObservable(cold('-').pipe(retryUnauthorized(refresh))).toBe('-');
      expectObservable(cold('-a#', undefined, other).pipe(retryUnauthorized(refresh))).toBe('-a#', undefined, other);
      expectObservable(cold('-#', {}, rejected).pipe(retryUnauthorized(refresh)), '---!').toBe('---');
      expectSubscriptions(refresh$.subscriptions).toBe('-^-!');
    }),
  );
});
