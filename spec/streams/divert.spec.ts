import { concatMap, delay, map, of, take } from 'rxjs';
import { divert } from '../../src/streams/divert';
import { marbles } from '../support/marbles';

/** Capital letters go the other way, where each takes four frames; x fails. */
const sorted = divert<string, string, string>({
  project: (item, { emit, divert }) => {
    if (item === 'x') throw 'error';
    if (item === item.toUpperCase()) divert(item);
    else emit(item);
  },
  other: concatMap((item) => of(item).pipe(delay(4))),
});

describe('divert', () => {
  it.each([
    ['passes what goes straight on, at once', '             -a-b-|', '     -a-b-|', '     ^----!'],
    ['merges what comes the other way', '                   -a-B-c------|', '-a---c-B----|', ' ^-----------!'],
    ['ends when both ways have ended', '                    -B-a-|', '     ---a-(B|)', '   ^----!'],
    ['keeps the order of the other way', '                  -BCa---|', '   ---a-B---(C|)', '^------!'],
    ['errors with its source, whatever is on the way', '    -B-#', '       ---#', '       ^--!'],
    ['errors with what it throws', '                        -B-x-', '      ---#', '       ^--!'],
    ['is empty as its source is', '                         --|', '        --|', '        ^-!'],
  ])('%s', (_, source, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(sorted)).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it(
    'errors with the other way, and goes on where that one ends before the source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-B-a');
      const project = (item: string, { emit, divert }: { emit: (a: string) => void; divert: (a: string) => void }) =>
        item === 'B' ? divert(item) : emit(item);
      const fail = () => {
        throw 'error';
      };
      expectObservable(item$.pipe(divert<string, string, string>({ project, other: map(fail) }))).toBe('-#');
      expectSubscriptions(item$.subscriptions).toBe('^!');
      const ended$ = hot('-B-a-B-|').pipe(divert<string, string, string>({ project, other: take(1) }));
      expectObservable(ended$).toBe('-B-a---|');
    }),
  );

  it(
    'subscribes to the other way with its first value, and lets all go when nobody listens',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-B-c');
      const work$ = cold<string>('----------w');
      const project = (item: string, { emit, divert }: { emit: (a: string) => void; divert: (a: string) => void }) =>
        item === 'B' ? divert(item) : emit(item);
      const diverted = divert<string, string, string>({ project, other: concatMap(() => work$) });
      expectObservable(item$.pipe(diverted), '------!').toBe('-a---c');
      expectSubscriptions(item$.subscriptions).toBe('^-----!');
      expectSubscriptions(work$.subscriptions).toBe('---^--!');
    }),
  );
});
