import { defer, type Observable, of, Subject, type Subscription, throwError } from 'rxjs';
import { RETENTION, retention } from '../../../src/executor/local/retention';
import type { Removal } from '../../../src/fleet/served/outputAccount';
import { publishedOutput } from '../../../src/fleet/served/publishedOutput';
import type { EventMessage } from '../../../src/fleet/served/storeEvents';
import { closed, exited, output } from '../../executor/events';

const READ_LIMITS = { bytes: 1_000, messages: 16 };
const LIMITS = { maxUnstored: 10, maxUnread: 20, maxMessages: 100, maxSession: 1_000 };

/** A stream that stores a message at once, or when it is let. */
const world = ({ isSlow = false, mayRemove = true } = {}) => {
  const stored: string[] = [];
  const removed: number[][] = [];
  const waiting: Subject<{ seq: number }>[] = [];
  const append = ({ headers }: EventMessage): Observable<{ seq: number }> =>
    defer(() => {
      stored.push(headers['Codex-Rx-Events'] ?? '');
      if (!isSlow) return of({ seq: 100 + stored.length });
      const stored$ = new Subject<{ seq: number }>();
      waiting.push(stored$);
      return stored$;
    });
  const remove = ({ seqs }: Removal) => {
    removed.push([...seqs]);
    return mayRemove ? of(0) : throwError(() => new Error('refused'));
  };
  const published = publishedOutput({ append, remove, limits: LIMITS, readLimits: READ_LIMITS, messageBytes: 1_000 });
  const storeFor = published.storeFor(retention(RETENTION), (id) => `s.${id}`);
  running.push(published.run$.subscribe());
  const next = (seq: number) => {
    const one = waiting.shift();
    one?.next({ seq });
    one?.complete();
  };
  const takeRead = () => published.takeRead().seqs;
  return { ...published, takeRead, storeFor, stored, removed, next };
};
const running: Subscription[] = [];

describe('publishedOutput', () => {
  afterEach(() => {
    for (const one of running.splice(0)) one.unsubscribe();
  });

  it('stores the events of a process that a client named, and retains them in memory', () => {
    const { storeFor, stored } = world();
    const store = storeFor({ processId: 'p', holdOutput: true });
    for (const event of [output(1, 'one'), exited(2), closed(3)]) store.add(event);
    expect(stored).toEqual(['1 0 o3', '2 3 x0', '3 3 c 2:0']);
    expect(store.page({ afterSeq: 0 })).toMatchObject({ chunks: [{ seq: 1 }], nextSeq: 4, closed: true });
  });

  it('stores nothing of processes without a name, and none of the failure to start', () => {
    const { storeFor, stored } = world();
    storeFor({}).add(output(1, 'one'));
    storeFor({ processId: 'p' }).add({ kind: 'failed', seq: 1, reason: 'no' });
    expect(stored).toEqual([]);
  });

  it('lets a process wait while the stream takes no more, and go on when it does', () => {
    const { storeFor, next } = world({ isSlow: true });
    const { add, backpressure } = storeFor({ processId: 'p', holdOutput: true });
    const drains: number[] = [];
    running.push(backpressure.drain$.subscribe(() => drains.push(1)));
    add(output(1, '12345678'));
    next(1);
    expect(drains).toEqual([]); // nobody waited
    add(output(2, '123456789'));
    expect(backpressure.isFull()).toBe(false);
    add(output(3, '1'));
    expect(backpressure.isFull()).toBe(true);
    next(2);
    expect([backpressure.isFull(), drains]).toEqual([false, [1]]);
  });

  it('lets a process wait for a reader that acknowledges, and removes what was read at its end', () => {
    const { storeFor, removed, takeRead } = world();
    const store = storeFor({ processId: 'p', holdOutput: true });
    for (const seq of [1, 2, 3]) store.add(output(seq, '1234567'));
    expect(store.backpressure.isFull()).toBe(true);
    store.acknowledge(1);
    expect(store.backpressure.isFull()).toBe(false);
    expect(takeRead()).toEqual([101]);
    store.acknowledge(3);
    expect(removed).toEqual([]);
    store.release();
    expect([removed, takeRead()]).toEqual([[[102, 103]], []]);
  });

  it('removes what was read of a process that goes on where it is much, once', () => {
    const { storeFor, removed } = world();
    const store = storeFor({ processId: 'p', holdOutput: true });
    const read = (seq: number, length: number) => {
      store.add({ kind: 'output', seq, stream: 'stdout', chunk: new Uint8Array(length) });
      store.acknowledge(seq);
      return [...removed];
    };
    expect(read(1, 999)).toEqual([]);
    expect(read(2, 1)).toEqual([[101, 102]]);
    expect(read(3, 1)).toEqual([[101, 102]]);
  });

  it('removes what was read where it is many messages', () => {
    const { storeFor, removed } = world();
    const store = storeFor({ processId: 'p', holdOutput: true });
    for (let seq = 1; seq <= 16; seq += 1) {
      expect(removed).toEqual([]);
      store.add(output(seq, 'a'));
      store.acknowledge(seq);
    }
    expect(removed).toEqual([Array.from({ length: 16 }, (_, i) => 101 + i)]);
  });

  it('removes nothing any more when it may not, and stores on', () => {
    const { storeFor, removed, stored } = world({ mayRemove: false });
    for (const processId of ['p', 'q']) {
      const store = storeFor({ processId, holdOutput: true });
      store.add(output(1, 'one'));
      store.acknowledge(1);
      store.release();
    }
    expect([removed, stored]).toEqual([[[101]], ['1 0 o3', '1 0 o3']]);
  });

  it('keeps what was not read when the process is over', () => {
    const { storeFor, removed } = world();
    const store = storeFor({ processId: 'p', holdOutput: true });
    store.add(output(1, 'one'));
    store.release();
    expect(removed).toEqual([]);
  });

  it('does not wait for a reader that never acknowledges', () => {
    const { storeFor } = world();
    const store = storeFor({ processId: 'p' });
    for (const seq of [1, 2, 3, 4]) store.add(output(seq, '1234567'));
    expect(store.backpressure.isFull()).toBe(false);
  });

  it('stores what a process wrote though it is over before the stream takes it', () => {
    const { storeFor, stored, next } = world({ isSlow: true });
    const store = storeFor({ processId: 'p', holdOutput: true });
    store.add(output(1, 'one'));
    store.add(closed(2));
    store.release();
    next(1);
    expect(stored).toEqual(['1 0 o3', '2 3 c']);
  });

  it('stores nothing when the server is over', () => {
    const { storeFor, stored } = world();
    for (const one of running.splice(0)) one.unsubscribe();
    const store = storeFor({ processId: 'p' });
    store.add(output(1, 'one'));
    expect(stored).toEqual([]);
    expect(store.page({ afterSeq: 0 })).toMatchObject({ chunks: [{ seq: 1 }] });
  });
});
