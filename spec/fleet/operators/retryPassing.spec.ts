import { defer, type Observable, timer } from 'rxjs';
import { retryPassing, waitBefore } from '../../../src/fleet/operators/retryPassing';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const LATE = new NatsError('timeout', 'late');
const REFUSED = new NatsError('refused', 'denied');

/** One source after another. */
const inTurn = (...sources: Observable<string>[]) => defer(() => sources.shift() as Observable<string>);

describe('retryPassing', () => {
  it(
    'subscribes again after what passes, later each time, and sooner again after a value',
    marbles(({ cold, expectObservable }) => {
      const [a, b] = [() => cold('#', {}, LATE), () => cold('-a#', { a: 'a' }, LATE)];
      expectObservable(inTurn(a(), a(), b(), cold('(c|)')).pipe(retryPassing())).toBe('301ms a 100ms (c|)');
    }),
  );

  it(
    'errors with what does not pass, and completes with the source',
    marbles(({ cold, expectObservable }) => {
      expectObservable(inTurn(cold('-#', {}, REFUSED)).pipe(retryPassing())).toBe('-#', {}, REFUSED);
      expectObservable(inTurn(cold('-a-|')).pipe(retryPassing())).toBe('-a-|');
      expectObservable(cold('-').pipe(retryPassing())).toBe('-');
    }),
  );

  it(
    'errors with the last failure when its patience is over',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('#', {}, LATE).pipe(retryPassing(200))).toBe('300ms #', {}, LATE);
    }),
  );

  it(
    'waits as it is given',
    marbles(({ cold, expectObservable }) => {
      const waits$ = inTurn(cold('#', {}, LATE), cold('#', {}, LATE), cold('(c|)'));
      expectObservable(waits$.pipe(retryPassing(Number.POSITIVE_INFINITY, (attempt) => timer(attempt)))).toBe(
        '---(c|)',
      );
    }),
  );

  it(
    'tries no more once it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('#', {}, LATE);
      expectObservable(source$.pipe(retryPassing()), '150ms !').toBe('-');
      expectSubscriptions(source$.subscriptions).toBe(['(^!)', '100ms (^!)']);
    }),
  );
});

describe('waitBefore', () => {
  it(
    'doubles up to two seconds',
    marbles(({ expectObservable }) => {
      for (const [attempt, waitMs] of [
        [1, 100],
        [2, 200],
        [5, 1_600],
        [6, 2_000],
        [50, 2_000],
      ] as const)
        expectObservable(waitBefore(attempt)).toBe(`${waitMs}ms (w|)`, { w: 0 });
    }),
  );
});
