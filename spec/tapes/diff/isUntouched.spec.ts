import type { LanePair } from '../../../src/tapes/diff/compare';
import { isUntouched } from '../../../src/tapes/diff/compare';
import type { Comparer } from '../../../src/tapes/diff/toComparer';
import type { Lane } from '../../../src/tapes/diff/toLanes';
import type { Handles } from '../../../src/tapes/handles/handles';
import type { ServerLine } from '../../../src/tapes/session/sessionIndex';

const lane = (...lines: string[]): Lane => ({
  label: '',
  lineNumber: 1,
  lines: lines.map((line) => ({ line }) as ServerLine),
});
const pair = (recorded: string[], now: string[]): LanePair => ({ recorded: lane(...recorded), now: lane(...now) });
const comparer = (origins: Record<string, string>): Comparer => {
  const handles: Handles = new Map(Object.entries(origins).map(([key, origin], id) => [key, { id, origin }]));
  return { handles: () => handles, linesOf: () => [], keyOf: () => '' };
};
const other = pair(['x'], ['y']);
const check = (one: LanePair, before = {}, after = {}) =>
  isUntouched([one, other], [comparer(before), comparer(after)])(one);

describe('isUntouched', () => {
  it.each<[string, LanePair, boolean]>([
    ['the same lines', pair(['a', 'b'], ['a', 'b']), true],
    ['no lines', pair([], []), true],
    ['another line', pair(['a', 'b'], ['a', 'c']), false],
    ['a line more', pair(['a'], ['a', 'b']), false],
    ['a lane that stands alone', { recorded: lane() }, false],
  ])('of %s', (_, one, expected) => {
    expect(check(one)).toBe(expected);
  });

  it.each<[string, object, object, boolean]>([
    ['issued at the same place', { t1: '0.0' }, { t1: '0.0' }, true],
    ['issued elsewhere', { t1: '0.0' }, { t1: '1.0' }, false],
    ['that only one session has', { '= t1': '0.0' }, {}, false],
    ['that the lines do not have', { t2: '0.0' }, {}, true],
  ])('looks for a handle %s', (_, before, after, expected) => {
    expect(check(pair(['a t1'], ['a t1']), before, after)).toBe(expected);
  });

  it('looks for fifty handles at most', () => {
    const handles = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`h${i}`, '0']));
    expect([50, 51].map((count) => check(pair(['a'], ['a']), handles(count)))).toEqual([true, false]);
  });

  it('looks for no handle where all pairs are the same', () => {
    const handles = jest.fn(() => new Map());
    const comparers = { ...comparer({}), handles };
    const one = pair(['a'], ['a']);
    expect(isUntouched([one], [comparers, comparers])(one)).toBe(true);
    expect(handles).not.toHaveBeenCalled();
  });
});
