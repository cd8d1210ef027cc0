import { finalize, map, take } from 'rxjs';
import { gather } from '../../src/streams/gather';
import { marbles } from '../support/marbles';

/** Emits B first, the number of each item and the item, and E at the end; c ends all, d fails. */
const numbered = gather<string, string>((emit) => {
  let count = 0;
  emit('B');
  return {
    next: (item, emit, complete) => {
      if (item === 'd') throw 'error';
      count += 1;
      emit(String(count));
      emit(item);
      if (item === 'c') complete();
    },
    end: (emit) => emit('E'),
  };
});

describe('gather', () => {
  it.each([
    ['emits before the source, for each item, and behind the source', '-a---b----|', 'B(1a)(2b)-(E|)', '^---------!'],
    ['ends an empty source', '                                         --|', '        B-(E|)', '       ^-!'],
    ['waits for a source that waits', '                                ----', '        B---', '         ^---'],
    ['ends with an item that completes, and nothing comes behind it', ' -a---c-a-|', ' B(1a)(2c|)', '^----!'],
    ['errors with its source, without an end', '                       -a---#', '       B(1a)#', '       ^----!'],
    ['errors with what it throws', '                                   -a---d-a', '    B(1a)#', '       ^----!'],
  ])('%s', (_, source, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot(source);
      expectObservable(item$.pipe(numbered)).toBe(expected);
      expectSubscriptions(item$.subscriptions).toBe(subscribed);
    })(),
  );

  it(
    'begins anew for each subscription',
    marbles(({ cold, expectObservable }) => {
      const item$ = cold('-a---|').pipe(numbered);
      expectObservable(item$).toBe('B(1a)(E|)');
      expectObservable(item$).toBe('B(1a)(E|)');
    }),
  );

  it(
    'lets the source go before the end is made',
    marbles(({ cold, expectObservable, flush }) => {
      const steps: string[] = [];
      const ended = gather<string, string>(() => ({
        next: (item, emit) => emit(item),
        end: (emit) => {
          steps.push('end');
          emit('E');
        },
      }));
      expectObservable(
        cold('-a|').pipe(
          finalize(() => steps.push('released')),
          ended,
        ),
      ).toBe('-a(E|)');
      flush();
      expect(steps).toEqual(['released', 'end']);
    }),
  );

  it(
    'makes an end of an error where it has a use for that',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const failing = (fail: (reason: unknown, emit: (item: string) => void) => void) =>
        gather<string, string>(() => ({ next: (item, emit) => emit(item), fail }));
      const source$ = cold('-a#', undefined, 'b');
      expectObservable(source$.pipe(failing((reason, emit) => emit(String(reason))))).toBe('-a(b|)');
      expectSubscriptions(source$.subscriptions).toBe('^-!');
      const throws = () => {
        throw 'error';
      };
      expectObservable(cold('-a#').pipe(failing(throws))).toBe('-a#');
      expectObservable(cold('-a|').pipe(failing(throws))).toBe('-a|');
    }),
  );

  it(
    'stops when nobody listens, also before the source and within an item',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const first$ = hot('-a-b');
      expectObservable(first$.pipe(numbered, take(1))).toBe('(B|)');
      expectSubscriptions(first$.subscriptions).toBe([]);
      const second$ = hot('-a-b');
      expectObservable(second$.pipe(numbered, take(2))).toBe('B(1|)');
      expectSubscriptions(second$.subscriptions).toBe('^!');
    }),
  );

  it(
    'errors with what the end throws, and passes on what a later operator throws',
    marbles(({ cold, expectObservable }) => {
      const fail = () => {
        throw 'error';
      };
      const failing = gather<string, string>(() => ({ next: (item, emit) => emit(item), end: fail }));
      expectObservable(cold('-a|').pipe(failing)).toBe('-a#');
      expectObservable(cold('-a|').pipe(gather<string, string>(fail))).toBe('#');
      expectObservable(cold('-a|').pipe(numbered, map(fail))).toBe('#');
    }),
  );
});
