import { defer, type Observable, of, Subject, type Subscription, throwError } from 'rxjs';
import { RETENTION, retention } from '../../../src/executor/local/retention';
import { addStored, emptySession, release } from '../../../src/fleet/served/outputAccount';
import {
  changeAccount,
  openEntry,
  type PublishedEntry,
  publishedOutput,
  reportOf,
  settleEntry,
} from '../../../src/fleet/served/publishedOutput';
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
  const remove = (seqs: readonly number[]) => {
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
  return { ...published, storeFor, stored, removed, next };
};

const running: Subscription[] = [];

type Account = Partial<PublishedEntry['account']>;

/** A process with this account, and what settling it removes. */
const settled = (own: Account, isOver: boolean, ofOther: Account = {}) => {
  const totals = { bytes: 0, messages: 0 }; // of two sessions together
  const entry = { ...openEntry({ subject: 's.p', holdsOutput: true }, 0, emptySession(totals)), isOver };
  Object.assign(entry.account, own);
  const other = openEntry({ subject: 's.q', holdsOutput: true }, 0, emptySession(totals));
  Object.assign(other.account, ofOther);
  for (const { account } of [entry, other]) {
    totals.bytes += account.readBytes;
    totals.messages += account.read.length;
  }
  const entries = new Set([entry, other]);
  const removed: number[][] = [];
  const remove$ = new Subject<number[]>();
  remove$.subscribe((seqs) => removed.push(seqs));
  settleEntry(entry, { entries, remove$, readLimits: { bytes: 100, messages: 4 } });
  return { isKnown: entries.has(entry), others: entries.size - Number(entries.has(entry)), removed };
};

const stored = { seq: 9, bytes: 1, throughSeq: 3 };

const KNOWN = { isKnown: true, others: 1, removed: [] };

const LAST_SEQ = 90;

type Given = { unstored?: number; holdsOutput?: boolean; acknowledged?: number; isSending?: boolean };

/** A process that was opened when the stream had 10 messages, with those that are stored since: number in the stream, and last event. */
const entry = (
  name: string,
  stored: readonly [number, number][],
  { unstored = 0, holdsOutput = true, acknowledged = 0, isSending = false }: Given = {},
) => {
  const made = openEntry({ subject: `p.events.e.s.${name}`, holdsOutput }, 10, emptySession());
  for (const [seq, throughSeq] of stored) addStored(made.account, { seq, throughSeq, bytes: 0 }, holdsOutput);
  release(made.account, acknowledged);
  made.account.unstored = unstored;
  made.account.isSending = isSending;
  return made;
};

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

  it('removes what was read of a process that goes on if it is much, once', () => {
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

  it('removes what was read if it is many messages', () => {
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

describe('settleEntry', () => {
  it('forgets a process that is over and read, and removes what was', () => {
    expect(settled({}, true)).toEqual({ isKnown: false, others: 1, removed: [] });
    expect(settled({ read: [7, 8] }, true)).toEqual({ isKnown: false, others: 1, removed: [[7, 8]] });
  });

  it.each([
    ['one that runs', {}, false],
    ['one that has output on its way', { unstored: 1 }, true],
    ['one whose end is on its way', { isSending: true }, true],
    ['one that has unread output', { unread: [stored] }, true],
    ['one that runs, of which little was read', { read: [7], readBytes: 99 }, false],
  ])('keeps %s', (_, account, isOver) => {
    expect(settled(account, isOver)).toEqual(KNOWN);
  });

  it('removes what was read of all processes while they run if it is much', () => {
    expect(settled({ read: [7], readBytes: 100 }, false)).toEqual({ ...KNOWN, removed: [[7]] });
    expect(settled({ read: [1, 2, 3, 4] }, false)).toEqual({ ...KNOWN, removed: [[1, 2, 3, 4]] });
    expect(settled({ read: [7], readBytes: 60 }, false, { read: [8], readBytes: 40 })).toEqual({
      ...KNOWN,
      removed: [[7, 8]],
    });
  });
});

describe('changeAccount', () => {
  it.each([
    ['lets a process go on when it had to wait, and no longer has to', 10, 9, 1],
    ['wakes none that still has to wait', 12, 10, 0],
    ['wakes none that did not wait', 9, 8, 0],
    ['wakes none that has to wait from now on', 9, 10, 0],
  ])('%s', (_, before, after, drains) => {
    const entry = openEntry({ subject: 's.p', holdsOutput: false }, 0, emptySession());
    let drained = 0;
    entry.drain$.subscribe(() => {
      drained += 1;
    });
    entry.account.unstored = before;
    changeAccount(entry, { maxUnstored: 10, maxUnread: 100, maxMessages: 100, maxSession: 1_000 }, () => {
      entry.account.unstored = after;
    });
    expect(drained).toBe(drains);
  });

  it('lets all processes of a session go on when little of it is unread again', () => {
    const limits = { maxUnstored: 1_000_000, maxUnread: 1_000_000, maxMessages: 100, maxSession: 100_000 };
    const session = emptySession();
    const entry = openEntry({ subject: 's.p', holdsOutput: true }, 0, session);
    const drains: string[] = [];
    session.drain$.subscribe(() => drains.push('session'));
    entry.drain$.subscribe(() => drains.push('process'));
    const store = (seq: number) => () => addStored(entry.account, { seq, throughSeq: seq, bytes: 60_000 }, true);
    for (const seq of [1, 2]) changeAccount(entry, limits, store(seq));
    expect(drains).toEqual([]);
    changeAccount(entry, limits, () => release(entry.account, 1));
    changeAccount(entry, limits, () => release(entry.account, 2));
    expect(drains).toEqual(['session']);
  });
});

describe('reportOf', () => {
  it.each([
    ['nothing', [], { from: 91, unread: [] }],
    ['a process that wrote nothing', [entry('a', [])], { from: 91, unread: [] }],
    ['one whose output is on its way', [entry('a', [], { unstored: 1 })], { from: 11, unread: [] }],
    ['one whose output was read', [entry('a', [[20, 3]], { acknowledged: 3 })], { from: 91, unread: [] }],
    [
      'the same, with more on its way',
      [entry('a', [[20, 3]], { acknowledged: 3, unstored: 1 })],
      { from: 21, unread: [] },
    ],
    [
      'the same, with its close on its way, which has no bytes',
      [entry('a', [[20, 3]], { acknowledged: 3, isSending: true })],
      { from: 21, unread: [] },
    ],
    [
      'what is unread',
      [
        entry(
          'a',
          [
            [20, 3],
            [30, 4],
            [40, 9],
          ],
          { acknowledged: 3 },
        ),
        entry('%2Fb', [[35, 1]]),
      ],
      {
        from: 30,
        unread: [
          { processId: 'a', throughSeq: 9 },
          { processId: '/b', throughSeq: 1 },
        ],
      },
    ],
    [
      'one whose reader acknowledges nothing',
      [entry('a', [[20, 3]], { holdsOutput: false })],
      { from: 11, unread: [] },
    ],
  ] as const)('reports of %s', (_, entries, report) => {
    expect(reportOf(entries, LAST_SEQ)).toEqual(report);
  });
});
