import { from, of } from 'rxjs';
import { waitForClient } from '../../../../src/agent/model/script/scriptedModel';
import type { ModelEvent } from '../../../../src/protocol/model/events';
import { noBackpressure } from '../../../../src/streams/backpressure';
import { marbles } from '../../../support/marbles';

/** A text too long for one burst. */
const long = 'x'.repeat(70_000);
const event = (delta: string): ModelEvent => ({ kind: 'text', itemId: 'm', delta });
const events = { a: event(long), b: event('b'), c: event('c'), l: event(long) };
const { a, b, c, l } = events;

describe('waitForClient', () => {
  it(
    'waits after a burst while the queue is full',
    marbles(({ hot, expectObservable }) => {
      const backpressure = { isFull: () => true, drain$: hot('---d---d--') };
      const out = '                                          a--(bl)(c|)';
      expectObservable(from([a, b, l, c]).pipe(waitForClient(backpressure))).toBe(out, events);
    }),
  );

  it(
    'passes on what comes slowly, however full the queue, and an end and an error',
    marbles(({ cold, expectObservable }) => {
      const backpressure = { isFull: () => true, drain$: cold('-') };
      for (const marble of ['b-c-b|', 'b-#', '|', '-', '#'])
        expectObservable(cold(marble, events).pipe(waitForClient(backpressure))).toBe(marble, events);
    }),
  );

  it(
    'begins a burst in another turn of the event loop, without a wait where the queue is not full',
    marbles(({ expectObservable, flush }) => {
      const seen: string[] = [];
      const burst$ = from([a, b]).pipe(waitForClient(noBackpressure));
      burst$.subscribe((one) => seen.push('delta' in one ? one.delta.slice(0, 1) : ''));
      expect(seen).toEqual(['x']);
      expectObservable(burst$).toBe('(ab|)', events);
      flush();
      expect(seen).toEqual(['x', 'b']);
    }),
  );

  it(
    'leaves the drain with its subscriber',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const drain$ = hot('----d');
      expectObservable(of(a, b).pipe(waitForClient({ isFull: () => true, drain$ })), '--!').toBe('a--', events);
      expectSubscriptions(drain$.subscriptions).toBe('^-!');
    }),
  );
});
