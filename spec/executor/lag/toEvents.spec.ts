import fc from 'fast-check';
import { toEvents } from '../../../src/executor/lag/recoverLag';
import { bytesBefore, closed, exited, gap, output, pageOf } from '../events';

const unread = { seq: 0, exited: false, bytes: 0 };
/** Each output is one byte. */
const at = (seq: number, exited: boolean) => ({ seq, exited, bytes: seq });
const whole = [output(1), output(2), exited(3, 7), output(4), closed(5)];

describe('toEvents', () => {
  it('finds the numbers of exit and close', () => {
    expect(toEvents(unread, pageOf(whole, 0))).toEqual(whole);
    expect(toEvents(at(2, false), pageOf(whole, 2))).toEqual(whole.slice(2));
    expect(toEvents(at(3, true), pageOf(whole, 3))).toEqual(whole.slice(3));
    expect(toEvents(at(4, true), pageOf(whole, 4))).toEqual(whole.slice(4));
    expect(toEvents(unread, pageOf([output(1), exited(2), closed(3)], 0))).toEqual([output(1), exited(2), closed(3)]);
    expect(toEvents(unread, pageOf([exited(1)], 0))).toEqual([exited(1)]);
    expect(toEvents(unread, pageOf([], 0))).toEqual([]);
  });

  it('emits what nobody retains, with its size', () => {
    const events = [...[1, 2, 3, 4, 5].map((seq) => output(seq)), exited(6), closed(7)];
    expect(toEvents(at(1, false), pageOf(events, 1, 5))).toEqual([gap(4, 3, 3), ...events.slice(4)]);
    expect(toEvents(at(1, false), pageOf(events, 1, 99))).toEqual([gap(5, 4, 4), exited(6), closed(7)]);
    const early = [output(1), exited(2), output(3), output(4)];
    expect(toEvents(unread, pageOf(early, 0, 4))).toEqual([gap(2, 2, 2), exited(3), output(4)]);
  });

  it('emits no size in bytes if the executor or the reader does not know it', () => {
    const { evicted, ...page } = pageOf(whole, 0, 2);
    expect(evicted).toEqual({ throughSeq: 1, bytes: 1 });
    expect(toEvents(unread, page)[0]).toEqual(gap(1, 1));
    expect(toEvents({ ...unread, bytes: undefined }, { ...page, evicted })[0]).toEqual(gap(1, 1));
  });

  it('finds no hole after the last output of a page whose nextSeq is too low', () => {
    const page = { ...pageOf([output(1), output(3)], 0), nextSeq: 2 };
    expect(toEvents(unread, page)).toEqual([output(1), gap(2, 1), output(3)]);
  });

  it('numbers exit and close itself if the executor does not count them', () => {
    const page = pageOf(whole, 0);
    expect(toEvents(at(4, false), { ...page, chunks: [], nextSeq: 5 })).toEqual([exited(5, 7), closed(6)]);
    expect(toEvents(unread, { ...page, chunks: page.chunks.slice(0, 2), nextSeq: 3 })).toEqual([
      output(1),
      output(2),
      exited(3, 7),
      closed(4),
    ]);
  });

  it('gives from any seq on what was there, of all that is retained', () => {
    const life = fc.record({
      before: fc.nat(8),
      after: fc.nat(3),
      end: fc.nat(2),
      seq: fc.nat(14),
      firstKept: fc.nat(8),
    });
    fc.assert(
      fc.property(life, ({ before, after, end, seq, firstKept }) => {
        const outputs = (from: number, count: number) => Array.from({ length: count }, (_, i) => output(from + i));
        const top = before + 1 + after;
        const events = [
          ...outputs(1, before),
          ...(end > 0 ? [exited(before + 1), ...outputs(before + 2, after)] : []),
          ...(end > 1 ? [closed(top + 1)] : []),
        ];
        const last = Math.min(seq, end > 1 ? top : (events.at(-1)?.seq ?? 0)); // who has the close reads no more
        const reader = { seq: last, exited: end > 0 && last > before, bytes: bytesBefore(events, last + 1) };
        const emitted = toEvents(reader, pageOf(events, last, Math.min(firstKept, before)));
        const lost = Math.max(0, Math.min(firstKept, before) - 1 - last);
        const expected = events.filter((event) => event.seq > last + lost);
        const bytes = bytesBefore(events, last + lost + 1) - reader.bytes;
        expect(emitted).toEqual(lost > 0 ? [gap(last + lost, lost, bytes), ...expected] : expected);
      }),
    );
  });
});
