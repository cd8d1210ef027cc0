import { NEVER } from 'rxjs';
import type { StoredItem } from '../../../src/executor/backend';
import {
  beginFollowing,
  type FollowInput,
  type Following,
  follow,
  followEvents,
} from '../../../src/fleet/backend/followEvents';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { output } from '../../executor/events';
import { marbles } from '../../support/marbles';

/** Events of a process from one number to another, as one message. */
const item = (processId: string, from: number, to = from): StoredItem => ({
  processId,
  placed: Array.from({ length: to - from + 1 }, (_, i) => ({
    event: output(from + i) as StoredItem['placed'][number]['event'],
    bytesBefore: from + i - 1,
  })),
});

const items: Record<string, StoredItem> = {
  ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [String(i + 1), item('p', i + 1)])),
  a: item('q', 1),
  b: item('q', 2),
  w: item('p', 2, 3),
};

/** The message has the number of its event times ten in the stream; `pending` more follow. */
const stored = (name: string, pending: number): FollowInput => ({
  kind: 'stored',
  item: items[name] as StoredItem,
  pending,
  seq: 10 * (items[name]?.placed.at(-1)?.event.seq ?? 0),
});

const reads: Record<string, FollowInput> = {
  ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [String(i + 1), stored(String(i + 1), 0)])),
  t: stored('2', 1),
  u: stored('3', 1),
  a: stored('a', 0),
  e: { kind: 'stored', seq: 0, pending: 0 },
};

const notes: Record<string, FollowInput> = {
  m: { kind: 'missed' },
  r: { kind: 'report', report: { from: 25, unread: [] } },
  q: { kind: 'report', report: { from: 7, unread: [{ processId: 'q', throughSeq: 1 }] } },
  p: { kind: 'report', report: { from: 7, unread: [{ processId: 'p', throughSeq: 2 }] } },
};

const refused = new NatsError('refused', 'no right to subscribe');

/** What was read, for each time that it was: from where. */
const reader = () => {
  const from: number[] = [];
  const noted = <T>(source: T) => {
    return (seq: number): T => {
      from.push(seq);
      return source;
    };
  };
  return { from, noted };
};

const quiet = { notes: NEVER, isResumed: false, isFull: () => false };

describe('followEvents', () => {
  it(
    'emits what is published, each once, and reads no stream',
    marbles(({ hot, expectObservable, expectSubscriptions, cold }) => {
      const published = hot('-1-2-2-1-w-a-b-4-', items);
      const expected = '     -1-2-----w-a-b-4-';
      const stream = cold('-', reads);
      expectObservable(followEvents({ ...quiet, published, stored: () => stream })).toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe([]);
    }),
  );

  it(
    'reads a stream that was recreated from its begin, once it finds a hole',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const from: number[] = [];
      const published = hot('      1---------------6', items);
      const again = [
        cold('             --45', reads),
        cold('-2345', { ...reads, 2: stored('2', 3), 3: stored('3', 2), 4: stored('4', 1) }),
      ];
      const expected = '           1------2345-----6';
      const read = (seq: number) => again[from.push(seq) - 1] ?? NEVER;
      const note$ = hot('          --r-m-', notes);
      expectObservable(followEvents({ ...quiet, notes: note$, published, stored: read })).toBe(expected, items);
      expectSubscriptions(again[0]?.subscriptions ?? []).toBe('----^-!');
      flush();
      expect(from).toEqual([25, 1]);
    }),
  );

  it(
    'reads the stream from a hole to the end, then both, until what is published is ahead',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const { from, noted } = reader();
      const published = hot('   -1-2--5-------6--7-', items);
      const stream = cold('            -u4-5----6', { ...reads, 4: stored('4', 1) });
      const expected = '        -1-2---34-5---6--7-';
      expectObservable(followEvents({ ...quiet, published, stored: noted(stream) })).toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe('------^--------!');
      expectSubscriptions(published.subscriptions).toBe(['^-----!', '----------^']);
      flush();
      expect(from).toEqual([1]);
    }),
  );

  it(
    'reads the stream of a session that had another client first, then both for a moment',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const { from, noted } = reader();
      const published = hot('----- 500ms 3', items);
      const stream = cold('  -1-2', { ...reads, 1: stored('1', 1) });
      const expected = '     -1-2- 500ms 3';
      expectObservable(followEvents({ ...quiet, isResumed: true, published, stored: noted(stream) })).toBe(
        expected,
        items,
      );
      expectSubscriptions(stream.subscriptions).toBe('^-- 300ms !');
      expectSubscriptions(published.subscriptions).toBe('---^');
      flush();
      expect(from).toEqual([1]);
    }),
  );

  it(
    'reads both until what is published is ahead, and emits what either has first',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const published = hot('-----23--4-', items);
      const stream = cold('  -1-2---3---', reads);
      const expected = '     -1-2--3--4-';
      const out$ = followEvents({ ...quiet, isResumed: true, published, stored: () => stream });
      expectObservable(out$).toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe('^------!');
      expectSubscriptions(published.subscriptions).toBe('-^------');
    }),
  );

  it(
    'drops what is published after a hole while both are read, as the stream has it too',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const published = hot('--3---4--', items);
      const stream = cold('  -1-t3--4-', reads);
      const expected = '     -1-23-4--';
      const out$ = followEvents({ ...quiet, isResumed: true, published, stored: () => stream });
      expectObservable(out$).toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe('^------!');
    }),
  );

  it(
    'looks into the stream when something may have been missed, from the first event on that nobody acknowledged',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const { from, noted } = reader();
      const published = hot('-1-2------------3', items);
      const note$ = hot('    ----r-m- 400ms -', notes);
      const stream = cold('        -e', reads);
      const expected = '     -1-2------------3';
      const out$ = followEvents({ ...quiet, notes: note$, published, stored: noted(stream) });
      expectObservable(out$, '17ms !').toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe('------^----------!');
      flush();
      expect(from).toEqual([25]);
    }),
  );

  it(
    'looks once for the end of a process that the executor reports, and was not published here',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const { from, noted } = reader();
      const published = hot('-1-', items);
      const note$ = hot('    --q- 400ms q--p', notes);
      const stream = cold('    -e', reads);
      const expected = '     -1-';
      const out$ = followEvents({ ...quiet, notes: note$, published, stored: noted(stream) });
      expectObservable(out$, '420ms !').toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe(['--^ 300ms !', '407ms ^ 12ms !']);
      flush();
      expect(from).toEqual([7, 7]);
    }),
  );

  it(
    'reads the stream while its reader is slow, which it waits for',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const slow = { is: false };
      hot('----s-', { s: true }).subscribe((is) => Object.assign(slow, { is }));
      const published = hot('-1---2-3', items);
      const stream = cold('       ---2', { 2: stored('2', 1) });
      const expected = '     -1------2';
      const out$ = followEvents({ ...quiet, isFull: () => slow.is, published, stored: () => stream });
      expectObservable(out$, '-----------!').toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe('-----^-----!');
      expectSubscriptions(published.subscriptions).toBe('^----!');
    }),
  );

  it(
    'reads the stream only, for a login that may not subscribe',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const published = hot('--#', items, refused);
      const stream = cold('    -1-2-3', reads);
      const expected = '     ---1-2-3';
      expectObservable(followEvents({ ...quiet, published, stored: () => stream })).toBe(expected, items);
      expectSubscriptions(stream.subscriptions).toBe('--^');
      expectSubscriptions(published.subscriptions).toBe('^-!');
    }),
  );

  it(
    'errors with the stream, and with a subscription that fails otherwise',
    marbles(({ cold, expectObservable }) => {
      const fails = { published: cold('-', items), stored: () => cold('-1-#', reads) };
      expectObservable(followEvents({ ...quiet, ...fails, isResumed: true })).toBe('-1-#', items);
      expectObservable(followEvents({ ...quiet, published: cold('--#', items), stored: () => NEVER })).toBe('--#');
    }),
  );
});

describe('follow', () => {
  const item = (processId: string, ...seqs: number[]): StoredItem => ({
    processId,
    placed: seqs.map((seq) => ({ event: output(seq) as StoredItem['placed'][number]['event'], bytesBefore: 0 })),
  });

  const published = (...seqs: number[]): FollowInput => ({ kind: 'published', item: item('p', ...seqs) });

  const stored = (seq: number, pending: number, ...seqs: number[]): FollowInput => ({
    kind: 'stored',
    seq,
    pending,
    ...(seqs.length > 0 && { item: item('p', ...seqs) }),
  });

  const report = (from: number, unread: Record<string, number> = {}): FollowInput => ({
    kind: 'report',
    report: { from, unread: Object.entries(unread).map(([processId, throughSeq]) => ({ processId, throughSeq })) },
  });

  const missed: FollowInput = { kind: 'missed' };

  const settled: FollowInput = { kind: 'settled' };

  const denied: FollowInput = { kind: 'denied' };

  /** What is emitted of these inputs, and the state after them. */
  const run = (inputs: readonly FollowInput[], { isResumed = false, isFull = false } = {}) => {
    let state: Following = beginFollowing({ isResumed });
    const out: number[][] = [];
    for (const input of inputs) {
      const next = follow(() => isFull)(state, input);
      state = next.state;
      if (next.output?.item) out.push(next.output.item.placed.map(({ event }) => event.seq));
    }
    const { phase, from } = state;
    return { out, phase, from };
  };

  it.each([
    ['takes what is published', [published(1), published(2, 3)], [[1], [2, 3]], 'published', 1],
    [
      'drops what it has',
      [published(1, 2), published(2), published(1, 2, 3)],
      [
        [1, 2],
        [1, 2, 3],
      ],
      'published',
      1,
    ],
    ['reads the stream behind a hole', [published(1), published(3)], [[1]], 'stored', 1],
    ['reads it from behind what was acknowledged', [published(1), report(9), published(3)], [[1]], 'stored', 9],
    ['is never sent back by a report', [report(9), report(4), missed], [], 'stored', 9],
    ['reads both from the end of the stream on', [missed, stored(7, 0, 1)], [[1]], 'both', 8],
    ['reads both where the stream has nothing', [missed, stored(0, 0)], [], 'both', 1],
    ['reads the stream to its end', [missed, stored(7, 2, 1), stored(8, 1, 2)], [[1], [2]], 'stored', 9],
    ['leaves the stream that is behind', [missed, stored(0, 0), published(1), stored(5, 0, 1)], [[1]], 'published', 6],
    ['leaves it where nothing comes', [missed, stored(0, 0), settled], [], 'published', 1],
    ['stays with one that has more', [missed, stored(0, 0), stored(5, 1, 1), settled], [[1]], 'both', 6],
    ['takes a hole in the stream for evicted', [missed, stored(5, 1, 4)], [[4]], 'stored', 6],
    ['emits what comes in such a hole', [missed, stored(5, 1, 4), stored(6, 1, 2)], [[4], [2]], 'stored', 7],
    ['reads the stream again when something was missed meanwhile', [missed, stored(0, 0), missed], [], 'stored', 1],
    ['never leaves it without the right to subscribe', [denied, stored(5, 0, 1), settled], [[1]], 'stored', 6],
    [
      'reads a stream with a hole from its begin',
      [report(9), published(1), missed, stored(12, 1, 4)],
      [[1]],
      'stored',
      1,
    ],
    [
      'takes a hole behind the begin for evicted',
      [report(9), published(1), missed, stored(12, 1, 4), stored(3, 1, 4)],
      [[1], [4]],
      'stored',
      4,
    ],
    [
      'looks where the executor says, which knows a recreated stream',
      [report(9), report(4, { p: 2 })],
      [],
      'stored',
      4,
    ],
    ['looks for what is reported', [published(1), report(4, { p: 2 })], [[1]], 'stored', 4],
    ['does not for what it has', [published(1, 2), report(4, { p: 2 })], [[1, 2]], 'published', 4],
    ['does not while the stream is read', [missed, stored(5, 1, 1), report(9, { p: 7 })], [[1]], 'stored', 6],
  ] as const)('%s', (_, inputs, out, phase, from) => {
    expect(run(inputs)).toEqual({ out, phase, from });
  });

  it('looks for the same once, and for more again', () => {
    const searched = [report(4, { p: 2 }), stored(0, 0), settled];
    expect(run([...searched, report(4, { p: 2 })]).phase).toBe('published');
    expect(run([...searched, report(4, { p: 3 })]).phase).toBe('stored');
  });

  it('reads the stream first if there was another client', () => {
    expect(run([], { isResumed: true })).toEqual({ out: [], phase: 'stored', from: 1 });
  });

  it('drops what is published for a slow reader, and reads the stream', () => {
    expect(run([published(1)], { isFull: true })).toEqual({ out: [], phase: 'stored', from: 1 });
    expect(run([missed, stored(0, 0), published(1)], { isFull: true }).phase).toBe('stored');
  });
});
