import { concat, NEVER, of, switchMap, take } from 'rxjs';
import {
  publishedEvents,
  sessionEvents,
  sessionNotes,
  streamEvents,
} from '../../../src/fleet/backend/executorsInFleet';
import type { NatsConsumed, NatsDelivery, NatsLink, NatsState } from '../../../src/fleet/link/natsLink';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { silentLog } from '../../../src/protocol/log';
import { noBackpressure } from '../../../src/streams/backpressure';
import { closed, output } from '../../executor/events';
import { marbles } from '../../support/marbles';

const message = (order: number, pending: number, header: string, text = ''): NatsConsumed => ({
  kind: 'message',
  seq: order,
  order,
  pending,
  atMs: 0,
  subject: 'p.events.e.s.proc',
  data: Buffer.from(text),
  headers: { 'Codex-Rx-Events': header },
});

const consumed = {
  b: { kind: 'begin', lastSeq: 9, pending: 2 },
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

const inputs = {
  o: { kind: 'stored', seq: 1, pending: 1, item: items.o },
  w: { kind: 'stored', seq: 2, pending: 1 },
  c: { kind: 'stored', seq: 3, pending: 0, item: items.c },
  d: { kind: 'stored', seq: 2, pending: 0, item: items.c },
  e: { kind: 'stored', seq: 0, pending: 0 },
};

const opened = (link: Partial<NatsLink>) => {
  const notes: string[] = [];
  const source = {
    link: { prefix: 'p', ...link } as NatsLink,
    executor: 'e',
    session: 's',
    backpressure: noBackpressure,
    log: (_: string, text: string) => void notes.push(text),
  };
  return { source, notes };
};

describe('publishedEvents', () => {
  it(
    'has the events that are published for the session, and passes over what cannot be read',
    marbles(({ cold, expectObservable, flush }) => {
      const subjects: string[] = [];
      const { source, notes } = opened({
        subscribe: ({ subject }) => {
          subjects.push(subject);
          return cold('-1-w-3', consumed as unknown as Record<string, NatsDelivery>);
        },
      });
      expectObservable(publishedEvents(source)).toBe('-o---c', items);
      flush();
      expect([subjects, notes]).toEqual([['p.events.e.s.*'], ['a message of events cannot be read']]);
    }),
  );

  it(
    'errors if the login may not subscribe',
    marbles(({ cold, expectObservable }) => {
      const refused = new NatsError('refused', 'no');
      const { source } = opened({ subscribe: () => cold('-#', {}, refused) });
      expectObservable(publishedEvents(source)).toBe('-#', {}, refused);
    }),
  );
});

describe('streamEvents', () => {
  it(
    'has the events of the session in the stream, and an input without an item at its end',
    marbles(({ cold, expectObservable, flush }) => {
      const wanted: object[] = [];
      const { source } = opened({
        consume: (one) => {
          wanted.push(one);
          return cold('b-1-w-3', consumed);
        },
      });
      expectObservable(streamEvents(source)(7)).toBe('--o-w-(ce)', inputs);
      flush();
      const subject = 'p.events.e.s.*';
      expect(wanted).toEqual([{ stream: 'p-exec-e', subject, from: 7, backpressure: noBackpressure }]);
    }),
  );

  it(
    'goes on at the next message when a consumer is lost',
    marbles(({ cold, expectObservable, flush }) => {
      const from: unknown[] = [];
      const lost = new NatsError('timeout', 'lost');
      const { source } = opened({
        consume: (one) => {
          from.push(one.from);
          return from.length === 1 ? cold('b-1-#', consumed, lost) : cold('b-n', consumed);
        },
      });
      const expected = '--o-- 100ms -(de)';
      expectObservable(streamEvents(source)(1)).toBe(expected, { ...inputs, d: { ...inputs.d, seq: 1 } });
      flush();
      expect(from).toEqual([1, 2]);
    }),
  );
});

describe('sessionNotes', () => {
  const connected: NatsState = { kind: 'connected', server: 'a' };
  const states = { c: connected, r: { kind: 'reconnecting' } } as Record<string, NatsState>;
  const values = {
    m: { kind: 'missed' },
    r: { kind: 'report', report: { from: 7, unread: [{ processId: 'p', throughSeq: 3 }] } },
  };
  const responses = {
    a: { subject: 'i', data: Buffer.from('{"from":7,"unread":[{"processId":"p","throughSeq":3}]}') },
    o: { subject: 'i', data: Buffer.from('{"executor":"e"}') },
  };

  it(
    'asks the executor for a report every other second, whatever it answers',
    marbles(({ cold, expectObservable, flush }) => {
      const asked: object[] = [];
      const given = [cold('-a|', responses), cold('-#', responses), cold('-o|', responses), cold('-a|', responses)];
      const request: NatsLink['request'] = ({ subject, headers }) => {
        asked.push({ subject, headers });
        return given[asked.length - 1] ?? NEVER;
      };
      const { source } = opened({ request, state$: cold('c', states) });
      expectObservable(sessionNotes(source), '9s !').toBe('2001ms r 5999ms r', values);
      flush();
      expect(asked[0]).toEqual({ subject: 'p.exec.e', headers: { 'Codex-Rx-Session': 's' } });
    }),
  );

  it(
    'emits that something may have been missed when the connection is lost, and when it is back',
    marbles(({ cold, expectObservable }) => {
      const { source } = opened({ request: () => NEVER, state$: cold('c-r---c', states) });
      expectObservable(sessionNotes(source), '9ms !').toBe('--m---m', values);
    }),
  );
});

describe('sessionEvents', () => {
  const message = (order: number, pending: number, header: string, text = ''): NatsConsumed => ({
    kind: 'message',
    seq: order,
    order,
    pending,
    atMs: 0,
    subject: 'p.events.e.s.proc',
    data: Buffer.from(text),
    headers: { 'Codex-Rx-Events': header },
  });

  const consumed = {
    b: { kind: 'begin', lastSeq: 2, pending: 2 },
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
    'is read to its end if nothing was read',
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
