import type { Stop } from '../../src/appServer/ending';
import type { End } from '../../src/appServer/endOf';
import { type Said, untilOver } from '../../src/appServer/untilOver';
import type { Event } from '../../src/protocol/codex';
import { marbles } from '../support/marbles';

const event = (callId: string): Event => ({ kind: 'rejected', callId, message: '' });
const said: Record<string, Said> = {
  a: event('a'),
  b: event('b'),
  s: { kind: 'stopping', stop: { kind: 'interrupted' } },
  l: { kind: 'stopping', stop: { kind: 'late', message: 'too long' } },
  z: { kind: 'over', end: { kind: 'completed' } },
  f: { kind: 'over', end: { kind: 'failed', message: 'no model', soon: false } },
};
const events = { a: event('a'), b: event('b'), C: event('completed'), F: event('failed'), X: event('interrupted') };
const close = (end: End | Stop) => [event(end.kind)];

describe('untilOver', () => {
  it.each([
    ['says the last words when the turn is over', '-a-b-z-a', '-a-b-(C|)'],
    ['says how it failed', '-a-f', '-a-(F|)'],
    ['says that it was stopped, whatever the server calls its end', '-a-s-b-z', '-a---b-(X|)'],
    ['goes by the last reason to stop', '-l-s-z', '-----(X|)'],
    ['says nothing more where the turn only breaks off', '-a-|', '-a-|'],
    ['says nothing where nothing is said', '---', '---'],
  ])('%s', (_, source, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot(source, said).pipe(untilOver(close))).toBe(expected, events);
    })(),
  );

  it(
    'errors with its source, and when the last words cannot be found',
    marbles(({ hot, expectObservable }) => {
      const fail = () => {
        throw new Error('no words');
      };
      expectObservable(hot('-a-#', said).pipe(untilOver(close))).toBe('-a-#', events);
      expectObservable(hot('-a-z', said).pipe(untilOver(fail))).toBe('-a-#', events, new Error('no words'));
    }),
  );

  it(
    'lets go of its source when the turn is over, and when nobody listens',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const one$ = hot('-a-z-a', said);
      expectObservable(one$.pipe(untilOver(close))).toBe('-a-(C|)', events);
      expectSubscriptions(one$.subscriptions).toBe('^--!');
      const two$ = hot('-a----', said);
      expectObservable(two$.pipe(untilOver(close)), '^--!').toBe('-a--', events);
      expectSubscriptions(two$.subscriptions).toBe('^--!');
    }),
  );
});
