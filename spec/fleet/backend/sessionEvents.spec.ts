import { concat, NEVER, of, switchMap, take } from 'rxjs';
import { sessionEvents } from '../../../src/fleet/backend/executorsInFleet';
import type { NatsConsumed, NatsDelivery, NatsLink } from '../../../src/fleet/link/natsLink';
import { silentLog } from '../../../src/protocol/log';
import { noBackpressure } from '../../../src/streams/backpressure';
import { closed, output } from '../../executor/events';
import { marbles } from '../../support/marbles';

const message = (order: number, pending: number, header: string, text = ''): NatsConsumed => ({
  ...{ kind: 'message', seq: order, order, pending, atMs: 0 },
  ...{ subject: 'p.events.e.s.proc', data: Buffer.from(text), headers: { 'Codex-Rx-Events': header } },
});
const consumed = {
  b: { kind: 'begin', firstSeq: 1, lastSeq: 2, pending: 2 },
  1: message(1, 1, '1 0 o2', 'hi'),
  2: message(2, 0, '2 2 c'),
} as Record<string, NatsConsumed>;
const deliveries = consumed as unknown as Record<string, NatsDelivery>;
const items = {
  o: { processId: 'proc', placed: [{ event: { ...output(1, 'hi'), chunk: Buffer.from('hi') }, bytesBefore: 0 }] },
  c: { processId: 'proc', placed: [{ event: closed(2), bytesBefore: 2 }] },
};
type Given = Partial<Pick<NatsLink, 'consume' | 'subscribe'>>;
const opened = (given: Given, backpressure = noBackpressure) => {
  const quiet = { prefix: 'p', request: () => NEVER, subscribe: () => NEVER, consume: () => NEVER, state$: NEVER };
  const link = { ...quiet, ...given } as unknown as NatsLink;
  return sessionEvents({ link$: concat(of(link), NEVER), executor: 'e', backpressure, log: silentLog });
};
const NEW = { sessionId: 's', isResumed: false };
const RESUMED = { sessionId: 's', isResumed: true };

describe('sessionEvents', () => {
  it(
    'has what is published for a new session, and what is stored of one that is resumed',
    marbles(({ cold, expectObservable }) => {
      const fresh = opened({ subscribe: () => cold('-1-2', deliveries) });
      expectObservable(fresh.read(NEW), '1s !').toBe('-o-c', items);
      const resumed = opened({ consume: () => cold('b-1---2', consumed) });
      expectObservable(resumed.read(RESUMED), '1s !').toBe('--o---c', items);
    }),
  );

  it(
    'is read to its end when the stream has no more for a moment, which it looks into then',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const stream = cold('b-1--2', consumed);
      const { read, untilRead } = opened({ subscribe: () => cold('--1', deliveries), consume: () => stream });
      expectObservable(read(NEW), '1s !').toBe('--o-----c', items);
      expectObservable(hot('---x').pipe(switchMap(untilRead), take(1))).toBe('308ms (r|)', { r: 0 });
      expectSubscriptions(stream.subscriptions).toBe('---^ 304ms !');
    }),
  );

  it(
    'is read to its end where nothing was read',
    marbles(({ hot, expectObservable }) => {
      const { untilRead } = opened({});
      expectObservable(hot('---x').pipe(switchMap(untilRead), take(1))).toBe('303ms (r|)', { r: 0 });
    }),
  );

  it(
    'waits no longer than a minute for a stream that does not come, but for a reader that is slow',
    marbles(({ cold, hot, expectObservable }) => {
      const { read, untilRead } = opened({ consume: () => cold('b-1', consumed) });
      expectObservable(read(RESUMED), '61s !').toBe('--o', items);
      expectObservable(hot('---x').pipe(switchMap(untilRead), take(1))).toBe('60003ms (r|)', { r: 1 });
      const slow = opened({ consume: () => cold('b-1', consumed) }, { isFull: () => true, drain$: NEVER });
      expectObservable(slow.read(RESUMED), '200s !').toBe('--o', items);
      expectObservable(hot('---x').pipe(switchMap(slow.untilRead)), '200s !').toBe('-');
    }),
  );
});
