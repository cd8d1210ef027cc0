import type { Observable } from 'rxjs';
import { removeMessages } from '../../../src/executor/nats/removeMessages';
import { NatsError } from '../../../src/transport/nats';
import { marbles } from '../../support/marbles';

const REFUSED = new NatsError('refused', 'denied');
const GONE = new NatsError('absent', 'gone');

const at = (results: readonly Observable<string>[]) => ({
  remove: (stream: string, seq: number) =>
    (stream === 's' ? results[seq] : undefined) as unknown as Observable<boolean>,
});

describe('removeMessages', () => {
  it(
    'removes each message, also after one that is gone',
    marbles(({ cold, expectObservable }) => {
      const link = at([cold('--(a|)'), cold('-#', {}, GONE), cold('---(b|)')]);
      expectObservable(removeMessages(link, 's')([0, 1, 2])).toBe('--a(b|)');
      expectObservable(removeMessages(link, 's')([])).toBe('|');
    }),
  );

  it(
    'removes 32 at the same time, and the next when one is removed',
    marbles(({ cold, expectSubscriptions, expectObservable }) => {
      const results = Array.from({ length: 33 }, (_, i) => cold(i === 0 ? '-|' : '---|'));
      expectObservable(removeMessages(at(results), 's')(results.map((_, i) => i))).toBe('----|');
      expectSubscriptions(results[31]?.subscriptions ?? []).toBe('^--!');
      expectSubscriptions(results[32]?.subscriptions ?? []).toBe('-^--!');
    }),
  );

  it(
    'errors where the login may not remove',
    marbles(({ cold, expectObservable }) => {
      expectObservable(removeMessages(at([cold('-#', {}, REFUSED), cold('--(a|)')]), 's')([0, 1])).toBe(
        '-#',
        {},
        REFUSED,
      );
    }),
  );
});
