import fc from 'fast-check';
import { toEvents } from '../../src/executor/toEvents';
import { closed, exited, gap, output, pageOf } from './events';

const news = { seq: 0, exited: false };
const whole = [output(1), output(2), exited(3, 7), output(4), closed(5)];

describe('toEvents', () => {
  it('finds the numbers of exit and close', () => {
    expect(toEvents(news, pageOf(whole, 0))).toEqual(whole);
    expect(toEvents({ seq: 2, exited: false }, pageOf(whole, 2))).toEqual(whole.slice(2));
    expect(toEvents({ seq: 3, exited: true }, pageOf(whole, 3))).toEqual(whole.slice(3));
    expect(toEvents({ seq: 4, exited: true }, pageOf(whole, 4))).toEqual(whole.slice(4));
    expect(toEvents(news, pageOf([output(1), exited(2), closed(3)], 0))).toEqual([output(1), exited(2), closed(3)]);
    expect(toEvents(news, pageOf([exited(1)], 0))).toEqual([exited(1)]);
    expect(toEvents(news, pageOf([], 0))).toEqual([]);
  });

  it('tells what nobody retains, with its size', () => {
    const events = [...[1, 2, 3, 4, 5].map((seq) => output(seq)), exited(6), closed(7)];
    expect(toEvents({ seq: 1, exited: false }, pageOf(events, 1, 5))).toEqual([gap(4, 3), ...events.slice(4)]);
    expect(toEvents({ seq: 1, exited: false }, pageOf(events, 1, 99))).toEqual([gap(5, 4), exited(6), closed(7)]);
    const early = [output(1), exited(2), output(3), output(4)];
    expect(toEvents(news, pageOf(early, 0, 4))).toEqual([gap(2, 2), exited(3), output(4)]);
  });

  it('numbers exit and close itself where the executor does not count them', () => {
    const page = pageOf(whole, 0);
    expect(toEvents({ seq: 4, exited: false }, { ...page, chunks: [], nextSeq: 5 })).toEqual([exited(5, 7), closed(6)]);
    expect(toEvents(news, { ...page, chunks: page.chunks.slice(0, 2), nextSeq: 3 })).toEqual([
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
        const at = Math.min(seq, end > 1 ? top : (events.at(-1)?.seq ?? 0)); // who has the close reads no more
        const reader = { seq: at, exited: end > 0 && at > before };
        const told = toEvents(reader, pageOf(events, at, Math.min(firstKept, before)));
        const lost = Math.max(0, Math.min(firstKept, before) - 1 - at);
        const expected = events.filter((event) => event.seq > at + lost);
        expect(told).toEqual(lost > 0 ? [gap(at + lost, lost), ...expected] : expected);
      }),
    );
  });
});
