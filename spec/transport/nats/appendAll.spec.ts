import { defer, type Observable } from 'rxjs';
import { appendAll } from '../../../src/transport/nats/appendAll';
import { NatsError } from '../../../src/transport/nats/natsError';
import type { NatsAppend, NatsAppended } from '../../../src/transport/nats/natsLink';
import { marbles } from '../../support/marbles';

const LATE = new NatsError('timeout', 'late');
const FULL = new NatsError('full', 'full');
const message = (id: string, size = 10): NatsAppend => ({ subject: 's', id, data: new Uint8Array(size) });
const messages = { a: message('a'), b: message('b'), c: message('c') };
const ack: NatsAppended = { seq: 1, isDuplicate: false };
const acked = Object.fromEntries(
  Object.entries(messages).map(([id, one]) => [id.toUpperCase(), { ...ack, message: one }]),
);

/** A link whose responses to the messages come in this order; `sent` has their ids. */
const linkOf = (...responses: Observable<NatsAppended>[]) => {
  const sent: unknown[] = [];
  const left = [...responses];
  const append = ({ id }: NatsAppend) =>
    defer(() => {
      sent.push(id);
      return left.shift() as Observable<NatsAppended>;
    });
  return { sent, link: { append } };
};

describe('appendAll', () => {
  it(
    'sends one after the other, and emits each with its place',
    marbles(({ cold, hot, expectObservable }) => {
      const { link } = linkOf(cold('--(k|)', { k: ack }), cold('---(k|)', { k: ack }));
      const message$ = hot('a-b----|', messages);
      expectObservable(message$.pipe(appendAll({ link, maxBytes: 100 }).append)).toBe('  --A--B-|', acked);
    }),
  );

  it(
    'sends again what is in doubt, before the next',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const { link, sent } = linkOf(
        cold('-#', {}, LATE),
        cold('-#', {}, LATE),
        cold('(k|)', { k: ack }),
        cold('(k|)', { k: ack }),
      );
      const message$ = hot('ab|', messages);
      expectObservable(message$.pipe(appendAll({ link, maxBytes: 100 }).append)).toBe('302ms (AB|)', acked);
      flush();
      expect(sent).toEqual(['a', 'a', 'a', 'b']);
    }),
  );

  it(
    'has as many under way as the window has room for',
    marbles(({ cold, hot, expectObservable }) => {
      const slow = () => cold<NatsAppended>('----(k|)', { k: ack });
      const { link } = linkOf(slow(), slow(), slow());
      const message$ = hot('(abc|)', messages);
      expectObservable(message$.pipe(appendAll({ link, window: 2, maxBytes: 100 }).append)).toBe('----(AB)(C|)', acked);
    }),
  );

  it(
    'errors with what does not pass, and when the patience is over',
    marbles(({ cold, hot, expectObservable }) => {
      const full = linkOf(cold('-#', {}, FULL));
      expectObservable(hot('a', messages).pipe(appendAll({ link: full.link, maxBytes: 100 }).append)).toBe(
        '-#',
        {},
        FULL,
      );
      const late = () => cold<NatsAppended>('#', {}, LATE);
      const { link } = linkOf(late(), late(), late());
      expectObservable(hot('a', messages).pipe(appendAll({ link, maxBytes: 100, patienceMs: 200 }).append)).toBe(
        '300ms #',
        {},
        LATE,
      );
    }),
  );

  it(
    'is full above its limit, and drains at half of it',
    marbles(({ cold, hot, expectObservable, flush }) => {
      const response = () => cold<NatsAppended>('--(k|)', { k: ack });
      const { link } = linkOf(response(), response(), response());
      const { append, backpressure } = appendAll({ link, maxBytes: 20 });
      const full: boolean[] = [];
      const look$ = hot('-x-x-x-x', { x: 0 });
      look$.subscribe(() => full.push(backpressure.isFull()));
      expectObservable(hot('(abc)', messages).pipe(append)).toBe('--A-B-C', acked);
      expectObservable(backpressure.drain$).toBe('----d', { d: [20, 10] });
      flush();
      expect(full).toEqual([true, false, false, false]);
    }),
  );

  it(
    'unsubscribes from what is under way, and its bytes count no more',
    marbles(({ cold, hot, expectObservable, expectSubscriptions, flush }) => {
      const response = cold<NatsAppended>('-----k', { k: ack });
      const { append, backpressure } = appendAll({ link: linkOf(response).link, maxBytes: 5 });
      expectObservable(hot('a--', messages).pipe(append), '---!').toBe('');
      expectSubscriptions(response.subscriptions).toBe('^--!');
      flush();
      expect(backpressure.isFull()).toBe(false);
    }),
  );
});
