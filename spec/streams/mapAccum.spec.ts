import { mapAccum } from '../../src/streams/mapAccum';
import { marbles } from '../support/marbles';

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
