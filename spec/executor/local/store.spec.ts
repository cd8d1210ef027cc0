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
  type Store,
} from '../../../src/executor/local/retention';
import type { OutputChunk } from '../../../src/protocol/exec/process';

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
