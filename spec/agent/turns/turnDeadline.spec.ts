import { turnDeadline } from '../../../src/agent/turns/runOpened';
import type { TurnStop } from '../../../src/agent/turns/turnEvents';
import { marbles } from '../../support/marbles';

const stops = { x: { kind: 'interrupted' } satisfies TurnStop };
const expired = { kind: 'expired', message: 'The turn took longer than 1.5 s and was stopped.' };

describe('turnDeadline', () => {
  it.each([
    ['emits a stop of its own when the time is over', '-', '             1500ms (e|)'],
    ['passes those that come before', '                20ms x 3s x', '   20ms x 1479ms (e|)'],
    ['goes on when no stop can come any more', '       -|', '            1500ms (e|)'],
    ['errors with its source', '                       -#', '            -#'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      const stop$ = hot<TurnStop>(source, stops);
      expectObservable(stop$.pipe(turnDeadline(1_500)), '9s !').toBe(expected, { ...stops, e: expired });
    })(),
  );

  it(
    'never comes at once, however long the limit is',
    marbles(({ hot, expectObservable }) => {
      for (const limitMs of [2 ** 40, Number.MAX_SAFE_INTEGER]) {
        expectObservable(hot<TurnStop>('-').pipe(turnDeadline(limitMs)), '1000s !').toBe('-');
      }
    }),
  );
});
