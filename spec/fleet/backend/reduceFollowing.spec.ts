import type { StoredItem } from '../../../src/executor/storedEvent';
import { beginFollowing, type FollowInput, type Following, follow } from '../../../src/fleet/backend/followEvents';
import { output } from '../../executor/events';

const item = (processId: string, ...seqs: number[]): StoredItem => ({
  processId,
  placed: seqs.map((seq) => ({ event: output(seq) as StoredItem['placed'][number]['event'], bytesBefore: 0 })),
});
const published = (...seqs: number[]): FollowInput => ({ kind: 'published', item: item('p', ...seqs) });
const stored = (seq: number, pending: number, ...seqs: number[]): FollowInput => ({
  ...{ kind: 'stored', seq, pending },
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

describe('follow', () => {
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
      'looks where the executor says, which knows a stream made anew',
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

  it('reads the stream first where there was another client', () => {
    expect(run([], { isResumed: true })).toEqual({ out: [], phase: 'stored', from: 1 });
  });

  it('drops what is published for a slow reader, and reads the stream', () => {
    expect(run([published(1)], { isFull: true })).toEqual({ out: [], phase: 'stored', from: 1 });
    expect(run([missed, stored(0, 0), published(1)], { isFull: true }).phase).toBe('stored');
  });
});
