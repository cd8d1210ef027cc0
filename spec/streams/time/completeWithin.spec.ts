import { completeWithin } from '../../../src/streams/time/completeWithin';
import { marbles } from '../../support/marbles';

const late = new Error('late');
const within = <T>(ms: number) => completeWithin<T>({ ms, toError: () => late });

describe('completeWithin', () => {
  it(
    'errors when the source goes on for too long, however much it emits',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const drip$ = hot(' -a-b-c-d');
      expectObservable(drip$.pipe(within(6))).toBe('-a-b-c#', undefined, late);
      expectSubscriptions(drip$.subscriptions).toBe('^-----!');
      expectObservable(hot('---').pipe(within(5))).toBe('-----#', undefined, late);
    }),
  );

  it(
    'leaves a source alone that ends in time, or has no limit',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-a-b|').pipe(within(6))).toBe('-a-b|');
      expectObservable(cold('|').pipe(within(6))).toBe('|');
      expectObservable(cold('-a#').pipe(within(6))).toBe('-a#');
      expectObservable(cold('-a 9s b|').pipe(within(0))).toBe('-a 9s b|');
    }),
  );

  it(
    'stops its source and its clock when nobody listens',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-b');
      expectObservable(source$.pipe(within(6)), '--!').toBe('-a');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'passes a value that is undefined',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('-u|', { u: undefined }).pipe(within(6))).toBe('-u|', { u: undefined });
    }),
  );
});
