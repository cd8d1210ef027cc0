import type { TurnStop } from '../../../src/agent/turns/turnEvents';
import { untilStopped } from '../../../src/agent/turns/turnEvents';
import type { Event } from '../../../src/protocol/codex/events';
import { marbles } from '../../support/marbles';
import { aborted, done, eventOf } from './support';

const events: Record<string, Event> = { a: eventOf('a'), z: done('a'), X: aborted('a'), E: eventOf('a', 'too long') };
const stops: Record<string, TurnStop> = { x: { kind: 'interrupted' }, e: { kind: 'expired', message: 'too long' } };
const close = (stop: TurnStop): Event[] =>
  stop.kind === 'expired' ? [eventOf('a', stop.message), aborted('a')] : [aborted('a')];

describe('untilStopped', () => {
  it.each([
    ['ends with the last event', '-a-z-a', '------', '-a-(z|)', '^--!'],
    ['ends where it is stopped', '-a-a-z', '---x--', '-a-(aX|)', '^--!'],
    ['says why it is stopped', '-a---z', '---e--', '-a-(EX|)', '^--!'],
    ['takes the first reason only', '-a---z', '--xe--', '-a(X|)', '^-!'],
    ['waits while nothing happens', '------', '------', '------', '^-----'],
    ['ends with a source that ends without a last event', '-a|', '----x-', '-a|', '^-!'],
  ])('%s', (_, source, stop, expected, subscribed) =>
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const event$ = hot(source, events);
      expectObservable(event$.pipe(untilStopped(hot(stop, stops), close))).toBe(expected, events);
      expectSubscriptions(event$.subscriptions).toBe(subscribed);
    })(),
  );

  it(
    'errors with its source, and where no end can be made',
    marbles(({ hot, expectObservable }) => {
      const fail = () => {
        throw new Error('no end');
      };
      expectObservable(hot('-a-#', events).pipe(untilStopped(hot('-'), close))).toBe('-a-#', events);
      expectObservable(hot('-a--', events).pipe(untilStopped(hot('--x', stops), fail))).toBe(
        '-a#',
        events,
        new Error('no end'),
      );
    }),
  );
});
