import { concat, defer, merge, NEVER, type Observable, of, take, throwError } from 'rxjs';
import { startAfterSubscribing } from '../../src/streams/startAfterSubscribing';
import { marbles } from '../support/marbles';

const isSmall = (letter: string): letter is string => letter === letter.toLowerCase();
const withFirst = startAfterSubscribing<string, string>({ first: () => ['f'], isResult: isSmall });
const fail$: Observable<never> = throwError(() => 'error');

describe('startAfterSubscribing', () => {
  it.each([
    ['emits the first value at once, then the results of the source', '-a-B-c-|', 'fa---c-|', '^------!'],
    ['ends with an empty source', '                                --|', '     f-|', '     ^-!'],
    ['waits for a source that waits', '                            ----', '    f---', '    ^---'],
    ['errors with its source', '                                   -a-#', '    fa-#', '    ^--!'],
  ])('%s', (_, source, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(withFirst)).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it.each([
    ['items', merge(of('a', 'B', 'c'), NEVER), '(fac)'],
    ['an end', of('a'), '                        (fa|)'],
    ['an error', concat(of('a'), fail$), '          (fa#)'],
  ])('emits what comes while it subscribes behind the first values: %s', (_, source$, expected) =>
    marbles(({ expectObservable }) => {
      expectObservable(source$.pipe(withFirst)).toBe(expected);
    })(),
  );

  it('subscribes to the source before it makes the first values, where that emits nothing yet', () => {
    const steps: string[] = [];
    const source$ = defer(() => {
      steps.push('subscribed');
      return NEVER;
    });
    const first = () => {
      steps.push('made');
      return ['f'];
    };
    source$
      .pipe(startAfterSubscribing<string, string>({ first, isResult: isSmall }))
      .subscribe()
      .unsubscribe();
    expect(steps).toEqual(['subscribed', 'made']);
  });

  it(
    'lets the source go when it is stopped, by its first value too',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const [stopped$, taken$] = [cold('--a-'), cold('--a-')];
      expectObservable(stopped$.pipe(withFirst), '^--!').toBe('f-a');
      expectObservable(taken$.pipe(withFirst, take(1))).toBe(' (f|)');
      expectSubscriptions(stopped$.subscriptions).toBe('       ^--!');
      expectSubscriptions(taken$.subscriptions).toBe('         (^!)');
    }),
  );

  it.each([
    ['making the first values', { first: () => thrown(), isResult: isSmall }, '  #', '   (^!)'],
    ['the choice of results', { first: () => ['f'], isResult: () => thrown() }, 'f-#', '^-!'],
  ])('errors with what %s throws, and lets the source go', (_, start, expected, subscribed) =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('--a-');
      expectObservable(source$.pipe(startAfterSubscribing(start as never))).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe(subscribed);
    })(),
  );
});

const thrown = (): never => {
  throw 'error';
};
