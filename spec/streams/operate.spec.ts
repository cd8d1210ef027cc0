import { Subscriber } from 'rxjs';
import { operate } from '../../src/streams/operate';
import { marbles } from '../support/marbles';

const same = operate<string, string>((subscriber) => new Subscriber(subscriber));

describe('operate', () => {
  it(
    'passes what its subscriber passes, and ends with it',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-|');
      expectObservable(item$.pipe(same)).toBe('-a-b-|');
      expectSubscriptions(item$.subscriptions).toBe('^----!');
      expectObservable(hot('-a-#').pipe(same)).toBe('-a-#');
    }),
  );

  it(
    'lets the source go when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-|');
      expectObservable(item$.pipe(same), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'subscribes to no source where all is over before',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b-|');
      const over = operate<string, string>((subscriber) => {
        subscriber.complete();
        return new Subscriber(subscriber);
      });
      expectObservable(item$.pipe(over)).toBe('|');
      expectSubscriptions(item$.subscriptions).toBe([]);
    }),
  );

  it(
    'errors where no subscriber can be made, and makes one for each subscription',
    marbles(({ cold, expectObservable, flush }) => {
      let made = 0;
      const counted = operate<string, string>((subscriber) => {
        made += 1;
        if (made === 3) throw 'error';
        return new Subscriber(subscriber);
      });
      const item$ = cold('-a|').pipe(counted);
      for (const expected of ['-a|', '-a|', '#']) expectObservable(item$).toBe(expected);
      flush();
      expect(made).toBe(3);
    }),
  );
});
