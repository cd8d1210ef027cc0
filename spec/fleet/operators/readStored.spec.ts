import { of } from 'rxjs';
import type { NatsConsumed, NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { readStored } from '../../../src/fleet/operators/readStored';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const stored = (seq: number): NatsStored => ({
  ...{ kind: 'message', seq, order: seq, pending: 0, subject: 'a', data: new Uint8Array(), headers: {}, atMs: 0 },
});
const values: Record<string, NatsConsumed> = {
  b: { kind: 'begin', firstSeq: 1, lastSeq: 0, pending: 0 },
  ...{ '1': stored(1), '2': stored(2), '3': stored(3), '4': stored(4) },
};
const linkOf = (consumed$: unknown, last?: number) => ({
  consume: () => consumed$ as ReturnType<NatsLink['consume']>,
  lastOf: () => of(last === undefined ? undefined : stored(last)),
});

describe('readStored', () => {
  it(
    'emits up to the last message, whatever the consumer knows to follow',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const consumed$ = cold('b-1-2--3-4', values);
      expectObservable(readStored(linkOf(consumed$, 3))('s', 'a')).toBe('--1-2--(3|)', values);
      expectSubscriptions(consumed$.subscriptions).toBe('^------!');
    }),
  );

  it(
    'completes at once where there is none',
    marbles(({ cold, expectObservable }) => {
      expectObservable(readStored(linkOf(cold('b-', values)))('s', 'a')).toBe('|');
    }),
  );

  it(
    'errors where the last does not come, and where the stream is not there',
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
    'ends with a later message where the last was removed',
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
