import { applyPatch } from 'diff';
import fc from 'fast-check';
import { commonUniqueLines, diffLines, type Run, unifiedDiff } from '../../../src/executor/patch/unifiedDiff';

const diff = (before: string, after: string, context = 1): string => unifiedDiff(before, after, { context });

describe('unifiedDiff', () => {
  it.each([
    ['two files that are the same', 'a\n', 'a\n', ''],
    ['two empty files', '', '', ''],
    ['one line', 'one\n', 'two\n', '@@ -1 +1 @@\n-one\n+two\n'],
    ['a line with its neighbours', 'a\nb\nc\nd\ne\n', 'a\nb\nC\nd\ne\n', '@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n'],
    ['a new file', '', 'a\nb\n', '@@ -0,0 +1,2 @@\n+a\n+b\n'],
    ['a file without a line', 'a\n', '', '@@ -1 +0,0 @@\n-a\n'],
    ['a line put in', 'a\nb\n', 'a\nx\nb\n', '@@ -1,2 +1,3 @@\n a\n+x\n b\n'],
    ['a line taken out', 'a\nx\nb\n', 'a\nb\n', '@@ -1,3 +1,2 @@\n a\n-x\n b\n'],
    ['a line feed at the end', 'a', 'a\n', '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n'],
    ['no line feed at the end', 'a\nb', 'A\nb', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n'],
    ['carriage returns', 'a\r\nb\r\n', 'a\r\nB\r\n', '@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n'],
    [
      'far changes as two hunks',
      '1\n2\n3\n4\n5\n',
      'x\n2\n3\n4\ny\n',
      '@@ -1,2 +1,2 @@\n-1\n+x\n 2\n@@ -4,2 +4,2 @@\n 4\n-5\n+y\n',
    ],
    ['near changes as one', '1\n2\n3\n4\n', 'x\n2\n3\ny\n', '@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n-4\n+y\n'],
    ['many removed lines before the added', '1\n2\n', 'x\ny\nz\n', '@@ -1,2 +1,3 @@\n-1\n-2\n+x\n+y\n+z\n'],
  ])('shows %s', (_, before, after, expected) => {
    expect(diff(before, after)).toBe(expected);
  });

  it('shows as many lines around a change as are asked for', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `${at}\n`);
    const after = lines.with(4, 'x\n').join('');
    expect(diff(lines.join(''), after, 0)).toBe('@@ -5 +5 @@\n-4\n+x\n');
    expect(diff(lines.join(''), after, 3)).toBe('@@ -2,7 +2,7 @@\n 1\n 2\n 3\n-4\n+x\n 5\n 6\n 7\n');
  });

  const text = fc
    .tuple(
      fc.array(fc.constantFrom('a', 'b', 'c', '', '-x', '+y', 'a\r'), { maxLength: 12 }),
      fc.constantFrom('', '\n'),
    )
    .map(([lines, end]) => lines.join('\n') + end);

  it('leads from one text to the other, whatever they are', () => {
    fc.assert(
      fc.property(text, text, fc.nat(4), (before, after, context) => {
        const hunks = diff(before, after, context);
        expect(applyPatch(before, `--- a\n+++ b\n${hunks}`, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 500 },
    );
  });

  it('has removed lines before added ones everywhere', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(diff(before, after)).not.toMatch(/^\+.*\n(\\.*\n)?-/m);
      }),
    );
  });

  it('takes its time from what differs, and gives up on the shortest way if too much does', () => {
    const lines = (name: string) => Array.from({ length: 50_000 }, (_, at) => `${name} ${at}\n`);
    const [before, after] = [lines('old').join(''), lines('new').join('')];
    expect(diff(before, after)).toBe(`@@ -1,50000 +1,50000 @@\n${lines('-old').join('')}${lines('+new').join('')}`);
  });
});

const texts = (runs: readonly Run[]) => runs.map(({ kind, lines }) => `${kind}:${lines.join('')}`);
const sideOf = (runs: readonly Run[], other: Run['kind']) =>
  runs.filter(({ kind }) => kind !== other).flatMap(({ lines }) => lines);

describe('diffLines', () => {
  it.each([
    ['', '', []],
    ['abc', 'abc', ['same:abc']],
    ['', 'ab', ['added:ab']],
    ['ab', '', ['removed:ab']],
    ['abc', 'axc', ['same:a', 'removed:b', 'added:x', 'same:c']],
    ['abcd', 'xbcy', ['removed:a', 'added:x', 'same:bc', 'removed:d', 'added:y']],
    ['aab', 'ab', ['same:a', 'removed:a', 'same:b']],
  ])('goes from %j to %j', (before, after, expected) => {
    expect(texts(diffLines([...before], [...after]))).toEqual(expected);
  });

  const lines = fc.array(fc.constantFrom(...'abcde'), { maxLength: 20 });

  it('holds both texts', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const runs = diffLines(before, after);
        expect([sideOf(runs, 'added'), sideOf(runs, 'removed')]).toEqual([before, after]);
      }),
    );
  });

  it('splits texts that differ much at lines that stand once in both', () => {
    const other = (name: string) => Array.from({ length: 600 }, (_, at) => `${name}${at}`);
    const before = [...other('a'), 'ONE', ...other('b'), 'TWO', ...other('c')];
    const after = [...other('x'), 'ONE', ...other('b'), 'TWO', ...other('y')];
    const runs = diffLines(before, after);
    expect([sideOf(runs, 'added'), sideOf(runs, 'removed')]).toEqual([before, after]);
    expect(runs.map(({ kind, lines }) => [kind, lines.length])).toEqual([
      ['removed', 600],
      ['added', 600],
      ['same', 602],
      ['removed', 600],
      ['added', 600],
    ]);
  });

  it('does not set everything against everything in two large texts', () => {
    const mixed = (seed: number) => Array.from({ length: 50_000 }, (_, at) => `${(at * seed) % 9973}`);
    const [before, after] = [mixed(31), mixed(37)];
    const runs = diffLines(before, after);
    expect([sideOf(runs, 'added'), sideOf(runs, 'removed')]).toEqual([before, after]);
  });
});

const common = (before: string, after: string): string =>
  commonUniqueLines([...before], [...after])
    .map(({ oldAt, newAt }) => (before[oldAt] === after[newAt] ? before[oldAt] : '!'))
    .join('');

describe('commonUniqueLines', () => {
  it.each([
    ['', 'abc', ''],
    ['abc', 'abc', 'abc'],
    ['abc', 'xaybzc', 'abc'],
    ['aab', 'ab', 'b'],
    ['abcd', 'dabc', 'abc'],
    ['abc', 'cba', 'c'],
  ])('of %j and %j', (before, after, expected) => {
    expect(common(before, after)).toBe(expected);
  });

  it('rises in both texts, and no series is longer', () => {
    const unique = fc.uniqueArray(fc.constantFrom(...'abcdefgh'));
    const longest = (a: readonly string[], b: readonly string[]): number => {
      const [first, ...rest] = a;
      if (first === undefined) return 0;
      const at = b.indexOf(first);
      return Math.max(longest(rest, b), at < 0 ? 0 : 1 + longest(rest, b.slice(at + 1)));
    };
    fc.assert(
      fc.property(unique, unique, (before, after) => {
        const anchors = commonUniqueLines(before, after);
        expect(anchors).toHaveLength(longest(before, after));
        expect(anchors).toEqual([...anchors].sort((a, b) => a.oldAt - b.oldAt || a.newAt - b.newAt));
        expect(anchors.every(({ oldAt, newAt }) => before[oldAt] === after[newAt])).toBe(true);
      }),
    );
  });
});
