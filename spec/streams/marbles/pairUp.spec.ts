import fc from 'fast-check';
import { pairUp } from '../../../src/streams/marbles/pairUp';

const pairs = (before: string, now: string): string[] =>
  pairUp([...before], [...now], (a, b) => a === b).map((pair) => `${pair.before ?? '-'}${pair.now ?? '-'}`);

describe('pairUp', () => {
  it.each([
    ['nothing', '', '', []],
    ['what is the same', 'abc', 'abc', ['aa', 'bb', 'cc']],
    ['a replacement, in its place', 'abc', 'axc', ['aa', 'bx', 'cc']],
    ['what is missing', 'abc', 'ac', ['aa', 'b-', 'cc']],
    ['what was added', 'ac', 'abc', ['aa', '-b', 'cc']],
    ['one side only', '', 'ab', ['-a', '-b']],
  ])('pairs %s', (_, before, now, expected) => {
    expect(pairs(before, now)).toEqual(expected);
  });

  it('loses nothing of either run, keeps both orders, and pairs a run with itself', () => {
    const runs = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(runs, runs, (before, now) => {
        const found = pairUp(before, now, (a, b) => a === b);
        expect(found.flatMap((pair) => pair.before ?? [])).toEqual(before);
        expect(found.flatMap((pair) => pair.now ?? [])).toEqual(now);
        expect(pairUp(before, before, (a, b) => a === b).every((pair) => pair.before === pair.now)).toBe(true);
      }),
    );
  });
});
