import fc from 'fast-check';
import {
  canEvict,
  drop,
  emptyStore,
  evict,
  type Pool,
  pageOf,
  push,
  release,
  retention,
  type Store,
} from '../../../src/executor/local/retention';
import type { OutputChunk, ProcessEvent } from '../../../src/protocol/exec/process';

const LIMITS = { maxBytes: 10, maxChunks: 4, maxTotalBytes: 1_000_000 };
const output = (seq: number, size: number): ProcessEvent => ({
  kind: 'output',
  seq,
  stream: 'stdout',
  chunk: new Uint8Array(size),
});
const all = { afterSeq: 0 };

describe('retention', () => {
  it('keeps whole what just fits, then lets the oldest chunks go', () => {
    const kept = retention(LIMITS)({});
    kept.add(output(1, 4));
    kept.add(output(2, 6));
    expect(kept.page(all)).toMatchObject({ chunks: [{ seq: 1 }, { seq: 2 }], nextSeq: 3 });
    kept.add(output(3, 1));
    expect(kept.page(all)).toMatchObject({
      chunks: [{ seq: 2 }, { seq: 3 }],
      nextSeq: 4,
      evicted: { throughSeq: 1, bytes: 4 },
    });
    expect(kept.page({ afterSeq: 1 })).not.toHaveProperty('evicted');
  });

  it('keeps no more chunks than allowed, and nothing of one that is too big', () => {
    const kept = retention(LIMITS)({});
    for (let seq = 1; seq <= 500; seq += 1) kept.add(output(seq, 1));
    expect(kept.page(all).chunks.map(({ seq }) => seq)).toEqual([497, 498, 499, 500]);
    kept.add(output(501, 11));
    expect(kept.page(all)).toMatchObject({ chunks: [], nextSeq: 502, evicted: { throughSeq: 501, bytes: 511 } });
  });

  it('takes from the one that keeps most when all together keep too much, and counts no more what was released', () => {
    const open = retention({ maxBytes: 1000, maxChunks: 100, maxTotalBytes: 1500 });
    const [small, great] = [open({}), open({})];
    small.add(output(1, 100));
    great.add(output(1, 500));
    great.add(output(2, 600));
    expect([small, great].map((kept) => kept.page(all).chunks.length)).toEqual([1, 1]);
    great.release();
    great.release();
    small.add(output(2, 800));
    expect(small.page(all).chunks).toHaveLength(2);
  });

  it('pages by bytes: whole chunks, at least one, and on from there', () => {
    const kept = retention({ ...LIMITS, maxBytes: 1000, maxChunks: 100 })({});
    for (let seq = 1; seq <= 5; seq += 1) kept.add(output(seq, 6));
    kept.add({ kind: 'exited', seq: 6, exitCode: 3 });
    kept.add({ kind: 'closed', seq: 7 });
    const sizesOf = (maxBytes: number) => {
      const { chunks, nextSeq } = kept.page({ afterSeq: 0, maxBytes });
      return [chunks.length, nextSeq];
    };
    expect([0, 1, 6, 11, 12, 13, 30, 1000].map(sizesOf)).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
      [1, 2],
      [2, 3],
      [2, 3],
      [5, 6],
      [5, 6],
    ]);
    expect(kept.page(all)).toMatchObject({ nextSeq: 8, exited: true, exitCode: 3, closed: true });
    expect(kept.page({ afterSeq: 5, maxBytes: 1 })).toMatchObject({ chunks: [], nextSeq: 8 });
  });

  it('is always the newest chunks that fit', () => {
    const sizes = fc.array(fc.nat({ max: 12 }), { maxLength: 200 });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 220 }), (list, afterSeq) => {
        const kept = retention(LIMITS)({});
        list.forEach((size, i) => {
          kept.add(output(i + 1, size));
        });
        let from = list.length;
        for (let bytes = 0; from > 0 && list.length - from < LIMITS.maxChunks; from -= 1) {
          bytes += list[from - 1] as number;
          if (bytes > LIMITS.maxBytes) break;
        }
        const seqs = list.map((_, i) => i + 1).filter((seq) => seq > from && seq > afterSeq);
        const page = kept.page({ afterSeq });
        expect(page.chunks.map(({ seq }) => seq)).toEqual(seqs);
        const bytes = list.slice(0, from).reduce((sum, size) => sum + size, 0);
        expect(page.evicted).toEqual(from > afterSeq ? { throughSeq: from, bytes } : undefined);
      }),
    );
  });

  describe('of a process whose output is unacknowledged back', () => {
    const unacknowledged = (limits = LIMITS) => {
      const kept = retention(limits)({ holdOutput: true });
      const drains: number[] = [];
      kept.backpressure.drain$.subscribe(() => drains.push(kept.page(all).chunks.length));
      return { kept, drains };
    };

    it('is full at its limits, evicts nothing before it is acknowledged, and drains then', () => {
      const { kept, drains } = unacknowledged();
      kept.add(output(1, 6));
      expect(kept.backpressure.isFull()).toBe(false);
      kept.add(output(2, 4));
      kept.add(output(3, 4));
      expect(kept.backpressure.isFull()).toBe(true);
      expect(kept.page(all).chunks).toHaveLength(3);
      kept.acknowledge(1);
      expect([kept.backpressure.isFull(), drains]).toEqual([false, [3]]);
      kept.add(output(4, 1));
      expect(kept.page(all)).toMatchObject({ chunks: [{ seq: 2 }, { seq: 3 }, { seq: 4 }], evicted: { bytes: 6 } });
    });

    it('is full of many small chunks too', () => {
      const { kept, drains } = unacknowledged();
      for (let seq = 1; seq <= 4; seq += 1) kept.add(output(seq, 1));
      expect(kept.backpressure.isFull()).toBe(true);
      kept.acknowledge(0);
      kept.acknowledge(3);
      kept.acknowledge(2);
      kept.acknowledge(99);
      expect([kept.backpressure.isFull(), drains]).toEqual([false, [4]]);
    });

    it('is full sooner if all together keep too much, which others give up first', () => {
      const open = retention({ maxBytes: 1_000_000, maxChunks: 100, maxTotalBytes: 300_000 });
      const [plain, kept] = [open({}), open({ holdOutput: true })];
      plain.add(output(1, 200_000));
      kept.add(output(1, 131_000));
      expect([plain.page(all).chunks, kept.page(all).chunks].map(({ length }) => length)).toEqual([0, 1]);
      expect(kept.backpressure.isFull()).toBe(false);
      kept.add(output(2, 169_000));
      expect(kept.backpressure.isFull()).toBe(true);
      kept.acknowledge(1);
      expect([kept.backpressure.isFull(), kept.page(all).chunks.length]).toEqual([false, 1]);
    });

    it('takes an acknowledgement for nothing if nothing is unacknowledged back', () => {
      const kept = retention(LIMITS)({});
      kept.add(output(1, 11));
      kept.acknowledge(1);
      expect([kept.backpressure.isFull(), kept.page(all).chunks]).toEqual([false, []]);
    });

    it('never loses what was not acknowledged, and counts it rightly, whatever comes', () => {
      const steps = fc.array(
        fc.oneof(fc.record({ size: fc.integer({ min: 0, max: 6 }) }), fc.record({ seq: fc.nat(40) })),
      );
      fc.assert(
        fc.property(steps, (taken) => {
          const { kept } = unacknowledged();
          const sizes: number[] = [];
          let acknowledged = 0;
          for (const step of taken) {
            if ('size' in step) kept.add(output(sizes.push(step.size), step.size));
            else {
              kept.acknowledge(step.seq);
              acknowledged = Math.max(acknowledged, Math.min(step.seq, sizes.length));
            }
            const unread = sizes.slice(acknowledged);
            expect(kept.page({ afterSeq: acknowledged }).chunks.map(({ chunk }) => chunk.length)).toEqual(unread);
            const bytes = unread.reduce((sum, size) => sum + size, 0);
            expect(kept.backpressure.isFull()).toBe(bytes >= LIMITS.maxBytes || unread.length >= LIMITS.maxChunks);
          }
        }),
      );
    });
  });
});

/** A chunk of so many bytes; one has a cost of 128 bytes beside them. */
const chunk = (seq: number, bytes: number): OutputChunk => ({ seq, stream: 'stdout', chunk: new Uint8Array(bytes) });

const storeOf = (sizes: readonly number[], holdOutput = false) => {
  const store = emptyStore(holdOutput ? { holdOutput } : {});
  const pool: Pool = { stores: new Set([store]), cost: 0 };
  for (const [i, bytes] of sizes.entries()) {
    push(pool, store, chunk(i + 1, bytes));
    store.topSeq = i + 1;
  }
  return { store, pool };
};
const seqsOf = (store: Store, afterSeq: number, maxBytes?: number) =>
  pageOf(store, { afterSeq, maxBytes }).chunks.map(({ seq }) => seq);

describe('push, evict, drop', () => {
  it('count bytes and cost, of the store and of the pool', () => {
    const { store, pool } = storeOf([10, 20, 30]);
    expect([store.bytes, store.cost, pool.cost]).toEqual([60, 60 + 3 * 128, 60 + 3 * 128]);
    evict(pool, store);
    expect([store.bytes, store.cost, pool.cost]).toEqual([50, 50 + 2 * 128, 50 + 2 * 128]);
    expect([store.evicted, store.first, store.chunks[0]]).toEqual([{ throughSeq: 1, bytes: 10 }, 1, undefined]);
    drop(pool, store);
    drop(pool, store);
    expect([pool.cost, pool.stores.size]).toEqual([0, 0]);
  });

  it('shortens the list of chunks now and then', () => {
    const { store, pool } = storeOf(Array(100).fill(1));
    for (let n = 0; n < 65; n += 1) evict(pool, store);
    expect([store.first, store.chunks.length, seqsOf(store, 0)[0]]).toEqual([0, 35, 66]);
  });
});

describe('pageOf', () => {
  it.each([
    ['all            ', 0, undefined, [1, 2, 3], 4],
    ['what is behind ', 2, undefined, [3], 4],
    ['nothing new    ', 3, undefined, [], 4],
    ['so many bytes  ', 0, 30, [1, 2], 3],
    ['at least one   ', 1, 1, [2], 3],
    ['none behind    ', 3, 1, [], 4],
  ])('has %s', (_, afterSeq, maxBytes, seqs, nextSeq) => {
    const { store } = storeOf([10, 20, 30]);
    const { chunks, ...rest } = pageOf(store, { afterSeq, maxBytes });
    expect(chunks.map(({ seq }) => seq)).toEqual(seqs);
    expect(rest).toEqual({ nextSeq, exited: false, exitCode: null, closed: false, failure: null });
  });

  it('names what was evicted after the seq, and how the process ended', () => {
    const { store, pool } = storeOf([10, 20, 30]);
    evict(pool, store);
    Object.assign(store, { exitCode: 0, closed: true });
    const { chunks: _, ...rest } = pageOf(store, { afterSeq: 0 });
    const end = { nextSeq: 4, exited: true, exitCode: 0, closed: true, failure: null };
    expect(rest).toEqual({ ...end, evicted: { throughSeq: 1, bytes: 10 } });
    expect(pageOf(store, { afterSeq: 1 })).not.toHaveProperty('evicted');
  });
});

describe('release, canEvict', () => {
  it('holds what was not acknowledged', () => {
    const { store } = storeOf([10, 20, 30], true);
    expect([store.unacknowledged, canEvict(store)]).toEqual([{ afterSeq: 0, bytes: 60, chunks: 3 }, false]);
    release(store, 2);
    expect([store.unacknowledged, canEvict(store)]).toEqual([{ afterSeq: 2, bytes: 30, chunks: 1 }, true]);
    release(store, 1);
    expect(store.unacknowledged?.afterSeq).toBe(2);
    release(store, 99);
    expect(store.unacknowledged).toEqual({ afterSeq: 3, bytes: 0, chunks: 0 });
  });

  it('evicts anything if nothing is unacknowledged, as long as there is something', () => {
    expect(canEvict(storeOf([10]).store)).toBe(true);
    expect(canEvict(storeOf([]).store)).toBe(false);
    const { store } = storeOf([10]);
    release(store, 1);
    expect(store.unacknowledged).toBeUndefined();
  });

  it('counts what is unacknowledged as its chunks are, whatever is acknowledged', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99), { maxLength: 20 }), fc.array(fc.nat(25)), (sizes, seqs) => {
        const { store } = storeOf(sizes, true);
        for (const seq of seqs) release(store, seq);
        const { afterSeq = 0, bytes, chunks } = store.unacknowledged ?? {};
        const left = sizes.slice(afterSeq);
        expect([bytes, chunks]).toEqual([left.reduce((sum, size) => sum + size, 0), left.length]);
      }),
    );
  });
});
