import { pairSeamCalls, seamOutcomeOf } from '../../../src/tapes/session/pairSeamCalls';
import { readEntries } from '../../../src/tapes/session/readEntries';

type At = [seam: string | undefined, dir: string, line: string, call?: number];

const paired = (...lines: At[]) => {
  const entries = lines.map(([seam, dir, line, call], t) => ({
    lineNumber: t + 1,
    entry: { t, dir, line, ...(seam !== undefined && { seam }), ...(call !== undefined && { call }) },
  }));
  const { seamCalls, seamCall } = pairSeamCalls(readEntries({ meta: {}, entries }).entries);
  return { seamCalls, seamCall: entries.map((_, i) => seamCall[i]) };
};

describe('pairSeamCalls', () => {
  it('joins entries by the number of their call, each seam by itself', () => {
    expect(
      paired(
        ['model', 'in', 'ask', 1],
        ['executor', 'in', 'run', 1],
        ['model', 'out', 'a', 1],
        [undefined, 'in', 'x', 1],
        ['model', 'out', 'b', 1],
        ['executor', 'note', 'stopped', 1],
      ),
    ).toEqual({
      seamCalls: [
        { seam: 'model', request: 0, last: 4, outcome: 'answered' },
        { seam: 'executor', request: 1, last: 5, outcome: 'cancelled' },
      ],
      seamCall: [0, 1, 0, undefined, 0, 1],
    });
  });

  it('begins a new call with each `in`, and leaves what names no call alone', () => {
    expect(paired(['model', 'in', 'ask', 1], ['model', 'in', 'ask', 1], ['model', 'out', 'a'])).toEqual({
      seamCalls: [
        { seam: 'model', request: 0, outcome: 'open' },
        { seam: 'model', request: 1, outcome: 'open' },
      ],
      seamCall: [0, 1, undefined],
    });
  });

  it('finds none of what came before its call', () => {
    expect(paired(['model', 'out', 'a', 1])).toEqual({ seamCalls: [], seamCall: [undefined] });
  });
});

describe('seamOutcomeOf', () => {
  it.each([
    ['in', '{"type":"error"}', 'open'],
    ['out', '{"kind":"text"}', 'answered'],
    ['out', '{"kind":"error","message":"x"}', 'failed'],
    ['out', '{"type":"failed"}', 'failed'],
    ['note', 'stopped', 'cancelled'],
    ['note', 'failed: no such host', 'failed'],
  ])('takes %s %s for %s', (dir, line, outcome) => {
    expect(seamOutcomeOf({ dir, line })).toBe(outcome);
  });
});
