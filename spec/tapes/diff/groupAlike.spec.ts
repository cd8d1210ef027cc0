import fc from 'fast-check';
import type { LaneResult } from '../../../src/tapes/diff/compare';
import { describeAlike, groupAlike } from '../../../src/tapes/diff/toReport';
import { faultsOf, HOSTILE } from '../../support/hostile';

type Value = { path: string; recorded: unknown; now: unknown };
const line = (label: string) => ({ lineNumber: 1, value: {}, text: label, label });
const lane = (lineNumber: number, values: Value[], own: Partial<LaneResult> = {}): LaneResult => ({
  label: 'tools/call read',
  lineNumber,
  recorded: [line('response')],
  now: [line('response')],
  difference: { at: 0, values },
  ...own,
});
const version = (path = 'message.result.version', now: unknown = 2): Value => ({ path, recorded: 1, now });
const linesOf = (...results: LaneResult[]): number[][] =>
  groupAlike(results).map((group) => group.map(({ lineNumber }) => lineNumber));

describe('groupAlike', () => {
  it('is one group of what has the same values at the same paths, whatever the items and the requests', () => {
    const other = lane(7, [version('message.result.list[7].version')], { label: 'tools/call write' });
    const twice = lane(9, [version('message.result.list[0].version'), version('message.result.list[1].version')]);
    expect(linesOf(lane(3, [version('message.result.list[2].version')]), other, twice)).toEqual([[3, 7, 9]]);
  });

  it.each<[string, LaneResult]>([
    ['another value', lane(5, [version('message.result.version', 3)])],
    ['a value of another type', lane(5, [version('message.result.version', '2')])],
    ['another path', lane(5, [version('message.result.other')])],
    ['one value more', lane(5, [version(), version('message.result.other')])],
    ['another kind of message', lane(5, [version()], { now: [line('error')] })],
    ['a reason', lane(5, [version()], { difference: { at: 0, values: [version()], reason: 'not now' } })],
    ['what belongs to no request', lane(0, [version()])],
  ])('keeps %s apart', (_, other) => {
    expect(linesOf(lane(3, [version()]), other)).toHaveLength(2);
  });

  it('keeps every result, once, in order', () => {
    const value = fc.record({
      path: fc.constantFrom('message.a', 'message.b[0]', 'message.b[1]'),
      recorded: fc.constantFrom(1, '1'),
      now: fc.constantFrom(2, '2', undefined),
    });
    fc.assert(
      fc.property(fc.array(fc.array(value, { minLength: 1, maxLength: 2 })), (all) => {
        const results = all.map((values, i) => lane(i + 1, values));
        const groups = groupAlike(results);
        expect(groups.flat().toSorted((a, b) => a.lineNumber - b.lineNumber)).toEqual(results);
        for (const group of groups) expect(group).toEqual(group.toSorted((a, b) => a.lineNumber - b.lineNumber));
      }),
    );
  });
});

describe('describeAlike', () => {
  it('has no lines where there is no other result', () => {
    expect(describeAlike([], 80)).toEqual([]);
  });

  it('counts the results and names their lines, in lines of that width', () => {
    const others = [lane(5, []), lane(8, [], { label: 'tools/call write' }), lane(9, [])];
    expect(describeAlike(others, 90)).toEqual([
      'the same in 3 more results: tools/call read (lines 5, 9), tools/call write (line 8)',
    ]);
    const narrow = describeAlike(others, 40);
    expect(narrow.join(' ')).toBe(describeAlike(others, 200).join(' '));
    expect(narrow.every(({ length }) => length <= 40)).toBe(true);
  });

  it('counts what is beyond a hundred lines', () => {
    const others = Array.from({ length: 120 }, (_, i) => lane(i + 1, []));
    expect(describeAlike(others, 2000)).toEqual([expect.stringMatching(/ 99, 100\), and 20 more$/)]);
  });

  it('shows what would command a terminal', () => {
    expect(faultsOf(describeAlike([lane(5, [], { label: HOSTILE })], 80).join('\n'))).toEqual([]);
  });
});
