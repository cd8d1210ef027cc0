import { NEVER } from 'rxjs';
import type { StoredItem } from '../../../src/executor/storedEvent';
import { followEvents } from '../../../src/fleet/backend/followEvents';
import type { FollowInput } from '../../../src/fleet/backend/reduceFollowing';
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
  ...{ kind: 'stored', item: items[name] as StoredItem, pending },
  seq: 10 * (items[name]?.placed.at(-1)?.event.seq ?? 0),
});
const reads: Record<string, FollowInput> = {
  ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [String(i + 1), stored(String(i + 1), 0)])),
  ...{ t: stored('2', 1), u: stored('3', 1), a: stored('a', 0), e: { kind: 'stored', seq: 0, pending: 0 } },
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
    'reads a stream that was made anew from its begin, once it finds a hole',
    marbles(({ hot, cold, expectObservable, expectSubscriptions, flush }) => {
      const from: number[] = [];
      const published = hot('      1---------------6', items);
      const anew = [
        cold('             --45', reads),
        cold('-2345', { ...reads, 2: stored('2', 3), 3: stored('3', 2), 4: stored('4', 1) }),
      ];
      const expected = '           1------2345-----6';
      const read = (seq: number) => anew[from.push(seq) - 1] ?? NEVER;
      const note$ = hot('          --r-m-', notes);
      expectObservable(followEvents({ ...quiet, notes: note$, published, stored: read })).toBe(expected, items);
      expectSubscriptions(anew[0]?.subscriptions ?? []).toBe('----^-!');
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
