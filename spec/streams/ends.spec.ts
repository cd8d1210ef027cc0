import { EMPTY, finalize, of, Subject } from 'rxjs';
import { closedBy, followedBy, muted, stoppable } from '../../src/streams/ends';
import { marbles } from '../support/marbles';

describe('closedBy', () => {
  it(
    'completes when the close has',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const close = cold('--|');
      const item$ = hot('  a-b-|');
      const expected = '   a-b---|';
      expectObservable(item$.pipe(closedBy(() => close as never))).toBe(expected);
      expectSubscriptions(close.subscriptions).toBe('----^-!');
    }),
  );

  it(
    'closes before an error, and errors with the close',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(hot('a-#').pipe(closedBy(() => cold('--|') as never))).toBe('a---#');
      expectObservable(hot('a-|').pipe(closedBy(() => cold('-#') as never))).toBe('a--#');
    }),
  );

  it(
    'does not close an empty or endless source early, nor one that is unsubscribed',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('|').pipe(closedBy(() => cold('-|') as never))).toBe('-|');
      const close = cold('--|');
      expectObservable(hot('a---').pipe(closedBy(() => close as never)), '--!').toBe('a');
      expectSubscriptions(close.subscriptions).toBe([]);
    }),
  );
});

const join = (all: string, one: string) => all + one;

const last = followedBy(join, '', (all: string) => of(`(${all})`));

describe('followedBy', () => {
  it(
    'passes the source, then what follows from its sum',
    marbles(({ hot, cold, flush, expectObservable, expectSubscriptions }) => {
      const item$ = hot('  -a-b-|       ');
      const next$ = cold('      -c-d-|  ');
      const expected = '   -a-b--c-d-|  ';
      const sums: string[] = [];
      const next = (sum: string) => {
        sums.push(sum);
        return next$;
      };
      expectObservable(item$.pipe(followedBy(join, '', next))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe('^----!');
      expectSubscriptions(next$.subscriptions).toBe('-----^----!');
      flush();
      expect(sums).toEqual(['ab']);
    }),
  );

  it(
    'emits the last value in the instant of the end, and for an empty source too',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold('a-b|').pipe(last)).toBe('a-b(S|)', { a: 'a', b: 'b', S: '(ab)' });
      expectObservable(cold<string>('--|').pipe(last)).toBe('--(S|)', { S: '()' });
      expectObservable(of('a', 'b').pipe(last)).toBe('(abS|)', { a: 'a', b: 'b', S: '(ab)' });
      expectObservable(cold('a-b|').pipe(followedBy(join, '', () => EMPTY))).toBe('a-b|');
    }),
  );

  it(
    'emits nothing after an error, nor for a source that never ends',
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot('-a-#').pipe(last)).toBe('-a-#');
      expectObservable(cold<string>('---').pipe(last)).toBe('---');
    }),
  );

  it(
    'errors with what follows, and with what its functions throw',
    marbles(({ cold, expectObservable }) => {
      const fail = () => {
        throw 'error';
      };
      const broken$ = cold<string>('-#');
      expectObservable(cold('-a|').pipe(followedBy(join, '', () => broken$))).toBe('-a-#');
      expectObservable(cold('-a|').pipe(followedBy(join, '', fail))).toBe('-a#');
      expectObservable(cold('-a|').pipe(followedBy<string, string>(fail, '', of))).toBe('-#');
    }),
  );

  it(
    'stops when nobody listens, in the source and in what follows',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const item$ = hot('  -a-b-|');
      expectObservable(item$.pipe(last), '--!').toBe('-a');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      const next$ = cold<string>('----|');
      expectObservable(cold<string>('-|').pipe(followedBy(join, '', () => next$)), '---!').toBe('---');
      expectSubscriptions(next$.subscriptions).toBe('-^-!');
    }),
  );
});

const close = (stop: string): string[] => (stop === 'y' ? ['Y', 'X'] : ['X']);

const isLast = (item: string) => item === 'z';

describe('stoppable', () => {
  it.each([
    ['ends with the last item', '                     -a-z-a', '------', '-a-(z|)', '^--!', '^--!'],
    ['ends where it is stopped', '                    -a-a-z', '---x--', '-a-(aX|)', '^--!', '^--!'],
    ['emits all that a stop makes', '                 -a---z', '---y--', '-a-(YX|)', '^--!', '^--!'],
    ['takes the first stop only', '                   -a---z', '--xy--', '-a(X|)', '^-!', '^-!'],
    ['is never stopped by a stop that completes', '   -a---z', '--|', '-a---(z|)', '^----!', '^-!'],
    ['ends with a source that has no last item', '    -a|', '----x-', '-a|', '^-!', '^-!'],
    ['errors with its source', '                      -a#', '----x-', '-a#', '^-!', '^-!'],
    ['errors with the stop', '                        -a---', '--#', '-a#', '^-!', '^-!'],
  ])('%s', (_, source, stop, expected, subscribed, stopSubscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      const stop$ = hot(stop);
      expectObservable(item$.pipe(stoppable({ stop$, close, isLast }))).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
      expectSubscriptions(stop$.subscriptions).toBe(stopSubscribed);
    })(),
  );

  it(
    'subscribes to no source that is stopped before, and errors where no end can be made',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-z');
      expectObservable(item$.pipe(stoppable({ stop$: of('x'), close, isLast }))).toBe('(X|)');
      expectSubscriptions(item$.subscriptions).toBe([]);
      const fail = () => {
        throw 'error';
      };
      expectObservable(hot('-a-z').pipe(stoppable({ stop$: hot('--x'), close: fail, isLast }))).toBe('-a#');
    }),
  );

  it('lets the source go before it emits what a stop makes, and counts a stop in answer to the first item', () => {
    const steps: string[] = [];
    const stop$ = new Subject<string>();
    const item$ = new Subject<string>();
    item$
      .pipe(
        finalize(() => steps.push('released')),
        stoppable({ stop$, close, isLast }),
      )
      .subscribe((item) => {
        steps.push(item);
        if (item === 'a') stop$.next('x');
      });
    item$.next('a');
    expect(steps).toEqual(['a', 'released', 'X']);
    EMPTY.pipe(stoppable<string, string>({ stop$, close, isLast })).subscribe();
    expect(stop$.observed).toBe(false);
  });
});

describe('muted', () => {
  it.each([
    ['never ends', 'a--', '---'],
    ['is empty', '---|', '---|'],
    ['ends', '-ab|', '---|'],
    ['fails', '-a-#', '---|'],
  ])('emits nothing of a source that %s', (_, source, expected) =>
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(source).pipe(muted())).toBe(expected);
    })(),
  );

  it(
    'unsubscribes from the source',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('a--');
      expectObservable(source$.pipe(muted()), '-^!').toBe('---');
      expectSubscriptions(source$.subscriptions).toBe('-^!');
    }),
  );
});
