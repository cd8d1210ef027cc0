import { asyncScheduler } from 'rxjs';
import { withLease } from '../../../src/fleet/threads/withLease';
import { marbles } from '../../support/marbles';
import { conflict, entry, inTurn, leaseWith, lost, taken } from './doubles';

const clockMs = () => asyncScheduler.now();

describe('withLease', () => {
  it(
    'takes the lease, renews it while the work runs, and removes it before the end',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [create$, update$, remove$] = [cold('-(r|)', { r: 1 }), cold('-(r|)', { r: 2 }), cold<void>('--(u|)')];
      const bucket = { create: () => create$, update: () => update$, remove: () => remove$ };
      const work$ = cold('                    -a--------b---|');
      expectObservable(withLease(leaseWith(bucket, clockMs))(work$)).toBe('--a--------b-----|');
      expectSubscriptions(create$.subscriptions).toBe('^!');
      expectSubscriptions(update$.subscriptions).toBe(['------^!', '------------^!']);
      expectSubscriptions(remove$.subscriptions).toBe('---------------^-!');
    }),
  );

  it(
    'does not begin the work without the lease',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const bucket = { create: () => cold<never>('-#', {}, conflict), get: () => cold('(e|)', { e: entry('u') }) };
      const work$ = cold('-a|');
      expectObservable(withLease(leaseWith(bucket, clockMs))(work$)).toBe('-#', undefined, taken);
      expectSubscriptions(work$.subscriptions).toBe([]);
    }),
  );

  it(
    'stops the work where the lease is lost, and removes nothing then',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const remove$ = cold<void>('(u|)');
      const bucket = {
        create: () => cold('(r|)', { r: 1 }),
        update: inTurn([cold('(r|)', { r: 2 }), cold<never>('-#', {}, conflict)]),
        get: () => cold('(e|)', { e: entry('u') }),
        remove: () => remove$,
      };
      const work$ = cold('                                             a---------b--');
      expectObservable(withLease(leaseWith(bucket, clockMs))(work$)).toBe('a---------b#', undefined, lost);
      expectSubscriptions(work$.subscriptions).toBe('                  ^----------!');
      expectSubscriptions(remove$.subscriptions).toBe([]);
    }),
  );

  it(
    'stops the work at nine tenths of the lease where the server does not answer',
    marbles(({ cold, expectObservable, flush }) => {
      const bucket = { create: () => cold('(r|)', { r: 1 }), update: () => cold<never>('-') };
      const deps = leaseWith(bucket, clockMs);
      expectObservable(withLease(deps)(cold('a-'))).toBe('a 17ms #', undefined, lost);
      flush();
      expect(deps.left.isLeft('t')).toBe(true);
    }),
  );

  it(
    'removes the lease where the work errors',
    marbles(({ cold, expectObservable }) => {
      const bucket = { create: () => cold('(r|)', { r: 1 }), remove: () => cold<void>('--(u|)') };
      expectObservable(withLease(leaseWith(bucket, clockMs))(cold('-#'))).toBe('---#');
    }),
  );

  it(
    'leaves the lease to its end, or to the next of this store, where it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const remove$ = cold<void>('(u|)');
      const bucket = { create: () => cold('(r|)', { r: 1 }), remove: () => remove$ };
      const deps = leaseWith(bucket, clockMs);
      expectObservable(withLease(deps)(cold('a-')), '^-!').toBe('a');
      expectSubscriptions(remove$.subscriptions).toBe([]);
      flush();
      expect(deps.left.isLeft('t')).toBe(true);
    }),
  );
});
