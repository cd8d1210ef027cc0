import { concat, NEVER, of, switchMap, take } from 'rxjs';
import { sessionEvents } from '../../../src/executor/nats/sessionEvents';
import { silentLog } from '../../../src/log';
import { noBackpressure } from '../../../src/streams';
import { NatsError } from '../../../src/transport/nats/natsError';
import type { NatsConsumed, NatsLink } from '../../../src/transport/nats/natsLink';
import { marbles } from '../../support/marbles';
import { closed, output } from '../events';

const message = (order: number, pending: number, header: string, text = ''): NatsConsumed => ({
  ...{ kind: 'message', seq: order, order, pending, atMs: 0 },
  ...{ subject: 'p.events.e.s.proc', data: Buffer.from(text), headers: { 'Codex-Rx-Events': header } },
});
const consumed = {
  b: { kind: 'begin', firstSeq: 1, lastSeq: 2, pending: 2 },
  1: message(1, 1, '1 0 o2', 'hi'),
  w: message(2, 1, 'what'),
  2: message(2, 0, '2 2 c'),
  3: message(3, 0, '2 2 c'),
  n: message(1, 0, '2 2 c'),
} as Record<string, NatsConsumed>;
const items = {
  o: { processId: 'proc', placed: [{ event: { ...output(1, 'hi'), chunk: Buffer.from('hi') }, bytesBefore: 0 }] },
  c: { processId: 'proc', placed: [{ event: closed(2), bytesBefore: 2 }] },
};
const opened = (consume: NatsLink['consume'], backpressure = noBackpressure) => {
  const link = { prefix: 'p', consume } as NatsLink;
  return sessionEvents({ link$: concat(of(link), NEVER), executor: 'e', backpressure, log: silentLog });
};

describe('sessionEvents', () => {
  it(
    'reads the events of all processes of a session, and passes over what cannot be read',
    marbles(({ cold, expectObservable, flush }) => {
      const wanted: object[] = [];
      const { read } = opened((consume) => {
        wanted.push(consume);
        return cold('b-1-w-3', consumed);
      });
      expectObservable(read('s')).toBe('--o---c', items);
      flush();
      expect(wanted).toEqual([
        { stream: 'p-exec-e', subject: 'p.events.e.s.*', from: 1, backpressure: noBackpressure },
      ]);
    }),
  );

  it(
    'goes on at the next message when a consumer is lost',
    marbles(({ cold, expectObservable, flush }) => {
      const from: unknown[] = [];
      const lost = new NatsError('timeout', 'lost');
      const { read } = opened((consume) => {
        from.push(consume.from);
        return from.length === 1 ? cold('b-1-#', consumed, lost) : cold('b-n', consumed);
      });
      expectObservable(read('s')).toBe('--o-- 100ms -c', items);
      flush();
      expect(from).toEqual([1, 2]);
    }),
  );

  it(
    'is read to its end when nothing is pending for a moment',
    marbles(({ cold, hot, expectObservable }) => {
      const { read, untilRead } = opened(() => cold('b-1---2', consumed));
      expectObservable(read('s')).toBe('--o---c', items);
      expectObservable(hot('---x').pipe(switchMap(untilRead), take(1))).toBe('306ms (r|)', { r: 0 });
    }),
  );

  it(
    'waits no longer than a minute for a stream that does not come, but for a reader that is slow',
    marbles(({ cold, hot, expectObservable }) => {
      const { read, untilRead } = opened(() => cold('b-1', consumed));
      expectObservable(read('s')).toBe('--o', items);
      expectObservable(hot('---x').pipe(switchMap(untilRead), take(1))).toBe('60003ms (r|)', { r: 1 });
      const slow = opened(() => cold('b-1', consumed), { isFull: () => true, drain$: NEVER });
      expectObservable(slow.read('s')).toBe('--o', items);
      expectObservable(hot('---x').pipe(switchMap(slow.untilRead)), '200s !').toBe('-');
    }),
  );
});
