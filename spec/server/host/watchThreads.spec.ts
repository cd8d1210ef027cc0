import { concat, defer, of, throwError, timer } from 'rxjs';
import { watchThreads } from '../../../src/server/host/watchThreads';
import { marbles } from '../../support/marbles';

const thread = (id: string, writtenMs: number) => ({ id, writtenMs, size: 9 });

const [a, b] = [thread('a', 1), thread('b', 2)];

/** Emits these lists one after another, a list at each look; then the last one. An error is a look that fails. */
const looks = (...lists: (Error | (typeof a)[])[]) => {
  let at = 0;
  return defer(() => {
    const list = lists[Math.min(at, lists.length - 1)] ?? [];
    at += 1;
    return list instanceof Error ? throwError(() => list) : of(list);
  });
};

const after = (ms: number) => concat(timer(ms));

describe('watchThreads', () => {
  it.each([
    ['nothing if nothing changes', [[a, b]], '-', {}],
    [
      'a thread that was written',
      [
        [a, b],
        [a, thread('b', 3)],
      ],
      '2s C',
      { changed: ['b'], isListChanged: false },
    ],
    ['a thread that came', [[a], [b, a]], '2s C', { changed: ['b'], isListChanged: true }],
    ['a thread that went', [[a, b], [a]], '2s C', { changed: [], isListChanged: true }],
    [
      'what changed while it could not look',
      [[a], new Error('gone'), [b, a]],
      '4s C',
      { changed: ['b'], isListChanged: true },
    ],
  ])('emits %s', (_, lists, expected, C) =>
    marbles(({ expectObservable }) => {
      expectObservable(watchThreads({ list$: looks(...lists), after }), '^ 9s !').toBe(expected, { C });
    })(),
  );

  it(
    'looks no more after unsubscription',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const list$ = cold('(l|)', { l: [a] });
      expectObservable(watchThreads({ list$, after }), '^ 1s !').toBe('-');
      expectSubscriptions(list$.subscriptions).toBe('(^!)');
    }),
  );
});
