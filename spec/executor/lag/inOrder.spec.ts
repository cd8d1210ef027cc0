import fc from 'fast-check';
import { inOrder } from '../../../src/executor/lag/inOrder';
import { LAGGED, type Lagged } from '../../../src/executor/lag/recoverLag';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { marbles } from '../../support/marbles';
import { through } from '../../support/streams';
import { output } from '../events';

const event: Record<string, ProcessEvent | Lagged> = {
  L: LAGGED,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((seq) => [seq, output(seq)])),
};

describe('inOrder', () => {
  it(
    'passes what is in order at once',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -1-(23)--4|', event);
      const expected = '   -1-(23)--4|';
      expectObservable(event$.pipe(inOrder())).toBe(expected, event);
    }),
  );

  it(
    'lets what is early wait, and drops what came before',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -2-4-1---2-3---5-3-|', event);
      const expected = '   -----(12)--(34)5---|';
      expectObservable(event$.pipe(inOrder())).toBe(expected, event);
    }),
  );

  it(
    'lets all go after a lag, holes and all, and counts on from the next that is new',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -1-4-3-L-----2-6-5-8-7---|', event);
      const expected = '   -1-----(L34)---6-----(78)|';
      expectObservable(event$.pipe(inOrder())).toBe(expected, event);
    }),
  );

  it(
    'takes what is missing for lost at the end, and when too many wait for it',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-1-4-3-|     ', event).pipe(inOrder())).toBe('-1-----(L34|)', event);
      expectObservable(hot('-2-3-4------5|', event).pipe(inOrder({ maxBuffered: 2 }))).toBe('-----(L234)-5|', event);
    }),
  );

  it(
    'is never, empty and failed as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<ProcessEvent>('---').pipe(inOrder())).toBe('---');
      expectObservable(cold<ProcessEvent>('--|').pipe(inOrder())).toBe('--|');
      expectObservable(cold('-2#', event).pipe(inOrder())).toBe('--#');
    }),
  );

  it('gives the same events however they are shuffled and doubled', () => {
    const order = fc.shuffledSubarray([...Array(30).keys()], { minLength: 30 });
    fc.assert(
      fc.property(order, fc.array(fc.nat(29)), (list, again) => {
        const events = [...list, ...again].map((i) => output(i + 1));
        expect(through(inOrder(), events)).toEqual([...Array(30).keys()].map((i) => output(i + 1)));
      }),
    );
  });
});
