import { EMPTY, finalize, of, Subject } from 'rxjs';
import { stoppable } from '../../src/streams/stoppable';
import { marbles } from '../support/marbles';

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
