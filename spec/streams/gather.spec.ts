import { finalize, map, take } from 'rxjs';
import { flatten, gather, mapAccum, mapMany, mapMulti } from '../../src/streams/gather';
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
    'begins again for each subscription',
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

/** Every second item has an output: the state and the item; x throws. */
const reduce = (state: number, item: string) => {
  if (item === 'x') throw 'error';
  return { state: state + 1, output: state % 2 === 0 ? undefined : `${state}${item}` };
};

const values = { B: '1b', D: '3d' };

describe('mapAccum', () => {
  it(
    'emits the outputs of the reducer, and nothing where there is none',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('  -a-b-c-d-|');
      const expected = '   ---B---D-|';
      expectObservable(item$.pipe(mapAccum(reduce, 0))).toBe(expected, values);
    }),
  );

  it(
    'begins with the seed for each subscriber',
    marbles(({ cold, expectObservable }) => {
      const output$ = cold('a-b|').pipe(mapAccum(reduce, 0));
      expectObservable(output$).toBe('--B|', values);
      expectObservable(output$).toBe('--B|', values);
    }),
  );

  it(
    'is never, empty and failing as its source is, and errors with what the reducer throws',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<string>('---').pipe(mapAccum(reduce, 0))).toBe('---');
      expectObservable(cold<string>('--|').pipe(mapAccum(reduce, 0))).toBe('--|');
      expectObservable(hot('-a-#').pipe(mapAccum(reduce, 0))).toBe('---#');
      const item$ = hot('a-b-x-d|');
      expectObservable(item$.pipe(mapAccum(reduce, 0))).toBe('--B-#', values);
      expectSubscriptions(item$.subscriptions).toBe('^---!');
    }),
  );

  it(
    'unsubscribes its source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-b');
      expectObservable(item$.pipe(mapAccum(reduce, 0)), '--!').toBe('---');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
    }),
  );
});

/** a emits x and y, b nothing, c z; d fails after x. */
const project = (item: string, emit: (value: string) => void): void => {
  for (const value of { a: 'xy', c: 'z', d: 'x' }[item] ?? '') emit(value);
  if (item === 'd') throw 'error';
};

describe('mapMulti', () => {
  it(
    'emits what each item gives, at once and in order',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('  -a---b-c-|');
      const expected = '   -(xy)--z-|';
      expectObservable(item$.pipe(mapMulti(project))).toBe(expected);
    }),
  );

  it(
    'is never, empty and failing as its source is',
    marbles(({ cold, hot, expectObservable }) => {
      expectObservable(cold<string>('---').pipe(mapMulti(project))).toBe('---');
      expectObservable(cold<string>('--|').pipe(mapMulti(project))).toBe('--|');
      expectObservable(hot('-c-#').pipe(mapMulti(project))).toBe('-z-#');
    }),
  );

  it(
    'errors with what the callback throws, after what it emitted',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-c-d-c-|');
      expectObservable(item$.pipe(mapMulti(project))).toBe('-z-(x#)');
      expectSubscriptions(item$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'stops when nobody listens, within an item too',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-c-c');
      expectObservable(item$.pipe(mapMulti(project)), '--!').toBe('-z');
      expectSubscriptions(item$.subscriptions).toBe('^-!');
      const first$ = hot('-a-a');
      expectObservable(first$.pipe(mapMulti(project), take(1))).toBe('-(x|)');
      expectSubscriptions(first$.subscriptions).toBe('^!');
    }),
  );

  it(
    'passes on what a later operator throws',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const item$ = hot('-a-c');
      const fail = () => {
        throw 'error';
      };
      expectObservable(item$.pipe(mapMulti(project), map(fail))).toBe('-#');
      expectSubscriptions(item$.subscriptions).toBe('^!');
    }),
  );
});

const some: Record<string, string[]> = { a: ['x', 'y'], b: [], c: ['z'] };

describe('mapMany and flatten', () => {
  it(
    'emit the members of each list at once and in order',
    marbles(({ hot, expectObservable }) => {
      const item$ = hot('   -a---b-c-|');
      const list$ = hot('   -a---b-c-|', some);
      const expected = '    -(xy)--z-|';
      expectObservable(item$.pipe(mapMany((item) => some[item] ?? []))).toBe(expected);
      expectObservable(list$.pipe(flatten())).toBe(expected);
    }),
  );

  it(
    'error with what makes the list, and unsubscribe their source',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const fail = () => {
        throw 'error';
      };
      const item$ = hot('-c-e-c');
      expectObservable(item$.pipe(mapMany((item) => some[item] ?? fail()))).toBe('-z-#');
      expectSubscriptions(item$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'stop within a list',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const list$ = hot('-a-a', some);
      expectObservable(list$.pipe(flatten(), take(1))).toBe('-(x|)');
      expectSubscriptions(list$.subscriptions).toBe('^!');
    }),
  );
});
