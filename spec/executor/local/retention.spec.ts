import fc from 'fast-check';
import { retention } from '../../../src/executor/local/retention';
import type { ProcessEvent } from '../../../src/protocol/exec/process';

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
