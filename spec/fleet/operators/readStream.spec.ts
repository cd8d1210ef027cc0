import { type Observable, of, throwError } from 'rxjs';
import type { NatsConsume, NatsConsumed, NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { readStored, readStream } from '../../../src/fleet/operators/readStream';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { noBackpressure } from '../../../src/streams/backpressure';
import { marbles } from '../../support/marbles';

const LOST = new NatsError('timeout', 'lost');

const wanted: NatsConsume = { stream: 's', subject: 'a', from: 1, backpressure: noBackpressure };

/** The message of a sequence as the consumer delivers it: in this order, with so many after it. */
const stored = (seq: number, order: number, pending: number): NatsStored => ({
  kind: 'message',
  seq,
  order,
  pending,
  subject: 'a',
  data: new Uint8Array(),
  headers: {},
  atMs: 0,
});

const begin = (pending: number): NatsConsumed => ({ kind: 'begin', lastSeq: 9, pending });

const consumed: Record<string, NatsConsumed> = {
  b: begin(2),
  e: begin(0),
  '1': stored(1, 1, 1),
  '2': stored(2, 2, 0),
  '3': stored(3, 3, 0),
  f: stored(3, 1, 0),
  s: stored(4, 3, 0),
};

const values = { ...consumed, C: { kind: 'caughtUp' } };

/** Consumers one after the other, and where each was asked to begin. */
const series = (...consumers: Observable<NatsConsumed>[]) => {
  const from: unknown[] = [];
  const left = [...consumers];
  const consume = (asked: NatsConsume) => {
    from.push(asked.from);
    return left.shift() ?? throwError(() => new NatsError('absent', 'gone'));
  };
  return { from, link: { consume } };
};

describe('readStream', () => {
  it(
    'emits the messages, and once that all was read',
    marbles(({ cold, expectObservable }) => {
      const { link } = series(cold('b-1-2---3', consumed));
      expectObservable(readStream(link)(wanted)).toBe('--1-(2C)3', values);
    }),
  );

  it(
    'has caught up with an empty stream at once, and waits',
    marbles(({ cold, expectObservable }) => {
      const { link } = series(cold('--e---', consumed));
      expectObservable(readStream(link)(wanted)).toBe('--C---', values);
    }),
  );

  it(
    'goes on at the next sequence with another consumer',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, from } = series(cold('b-1-2-#', consumed, LOST), cold('e-f', consumed));
      expectObservable(readStream(link)(wanted)).toBe('--1-(2C) 98ms C-3', { ...values, '3': consumed.f });
      flush();
      expect(from).toEqual([1, 3]);
    }),
  );

  it(
    'asks again for what a consumer skipped',
    marbles(({ cold, expectObservable, flush }) => {
      const { link, from } = series(cold('b-1-s', consumed), cold('-'));
      expectObservable(readStream(link)(wanted)).toBe('--1', values);
      flush();
      expect(from).toEqual([1, 2]);
    }),
  );

  it(
    'reads a stream that was removed and recreated from its begin',
    marbles(({ cold, expectObservable, flush }) => {
      const again = { ...consumed, n: { ...begin(1), lastSeq: 1 } };
      const consumers = [cold('b-1-2-#', consumed, LOST), cold('n', again), cold('n-1', again)];
      const { link, from } = series(...consumers);
      const expected = '--1-(2C) 298ms --1';
      expectObservable(readStream(link)(wanted)).toBe(expected, values);
      flush();
      expect(from).toEqual([1, 3, 1]);
    }),
  );

  it(
    'waits longer from attempt to attempt, up to two seconds',
    marbles(({ cold, expectObservable, flush }) => {
      const lost = () => cold<NatsConsumed>('#', {}, LOST);
      const { link, from } = series(lost(), lost(), lost(), lost(), lost(), lost(), lost(), cold('e', consumed));
      expectObservable(readStream(link)({ ...wanted, from: 'lastOfEach' })).toBe('7100ms C', values);
      flush();
      expect(from).toHaveLength(8);
    }),
  );

  it.each<[string, NatsError]>([
    ['absent', new NatsError('absent', 'x')],
    ['refused', new NatsError('refused', 'x')],
  ])('errors with %s', (_, error) =>
    marbles(({ cold, expectObservable }) => {
      const { link } = series(cold('b-1-#', consumed, error));
      expectObservable(readStream(link)(wanted)).toBe('--1-#', values, error);
    })(),
  );

  it(
    'unsubscribes from the consumer',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const consumer = cold('b-1-2', consumed);
      expectObservable(readStream(series(consumer).link)(wanted), '---!').toBe('--1', values);
      expectSubscriptions(consumer.subscriptions).toBe('^--!');
    }),
  );
});

describe('readStored', () => {
  const stored = (seq: number): NatsStored => ({
    kind: 'message',
    seq,
    order: seq,
    pending: 0,
    subject: 'a',
    data: new Uint8Array(),
    headers: {},
    atMs: 0,
  });

  const values: Record<string, NatsConsumed> = {
    b: { kind: 'begin', lastSeq: 0, pending: 0 },
    '1': stored(1),
    '2': stored(2),
    '3': stored(3),
    '4': stored(4),
  };

  const linkOf = (consumed$: unknown, last?: number) => ({
    consume: () => consumed$ as ReturnType<NatsLink['consume']>,
    lastOf: () => of(last === undefined ? undefined : stored(last)),
  });

  it(
    'emits up to the last message, whatever the consumer knows to follow',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const consumed$ = cold('b-1-2--3-4', values);
      expectObservable(readStored(linkOf(consumed$, 3))('s', 'a')).toBe('--1-2--(3|)', values);
      expectSubscriptions(consumed$.subscriptions).toBe('^------!');
    }),
  );

  it(
    'completes at once if there is none',
    marbles(({ cold, expectObservable }) => {
      expectObservable(readStored(linkOf(cold('b-', values)))('s', 'a')).toBe('|');
    }),
  );

  it(
    'errors if the last does not come, and if the stream is not there',
    marbles(({ cold, expectObservable }) => {
      const late = expect.objectContaining({
        kind: 'timeout',
        message: expect.stringContaining('message 3 did not come'),
      });
      expectObservable(readStored(linkOf(cold('b-1', values), 3))('s', 'a')).toBe('--1 29999ms #', values, late);
      const absent = new NatsError('absent', 'x');
      expectObservable(readStored(linkOf(cold('--#', {}, absent), 3))('s', 'a')).toBe('--#', {}, absent);
    }),
  );

  it(
    'ends with a later message if the last was removed',
    marbles(({ cold, expectObservable }) => {
      const consumed$ = cold('b-1-4', { ...values, '4': { ...stored(4), order: 2 } });
      expectObservable(readStored(linkOf(consumed$, 3))('s', 'a')).toBe('--1-(4|)', {
        ...values,
        '4': { ...stored(4), order: 2 },
      });
    }),
  );

  it(
    'unsubscribes',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const consumed$ = cold('b-1-2', values);
      expectObservable(readStored(linkOf(consumed$, 3))('s', 'a'), '---!').toBe('--1', values);
      expectSubscriptions(consumed$.subscriptions).toBe('^--!');
    }),
  );
});
