import { applyPatch } from 'diff';
import fc from 'fast-check';
import { unifiedDiffs } from '../../../src/executor/patch/unifiedDiff';
import { encode } from './support';

const diff = (before: string, after: string, context = 1): string =>
  unifiedDiffs({ context })(encode(before), encode(after));

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

  it('compares further texts of a patch by at most 50 lines when those before took the time of one that differs much', () => {
    const every = (step: number, count: number, mark: string) =>
      Array.from({ length: count * step }, (_, at) => `${at % step === 0 ? mark : ''}${at}\n`).join('');
    const hunks = unifiedDiffs({ context: 0 });
    const hunksOf = (count: number) =>
      hunks(encode(every(2, count, '-')), encode(every(2, count, '+'))).match(/^@@/gm)?.length;
    expect([hunksOf(400), hunksOf(400), hunksOf(25), hunksOf(26)]).toEqual([400, 1, 25, 1]);
    expect(diff(every(2, 400, '-'), every(2, 400, '+'), 0).match(/^@@/gm)).toHaveLength(400);
  });

  describe('of texts that differ too much', () => {
    const lines = (name: string, end = '\n') =>
      `${Array.from({ length: 50_000 }, (_, at) => `${name} ${at}`).join('\n')}${end}`;
    const marked = (mark: string, name: string) => lines(`${mark}${name}`);

    it('is one hunk', () => {
      const hunk = `@@ -1,50000 +1,50000 @@\n${marked('-', 'old')}${marked('+', 'new')}`;
      expect(diff(lines('old'), lines('new'))).toBe(hunk);
    });

    it('goes from the first to the last difference', () => {
      const hunk = `@@ -2,50002 +2,50002 @@\n b\n${marked('-', 'old')}${marked('+', 'new')} c\n`;
      expect(diff(`a\nb\n${lines('old')}c\nd\n`, `a\nb\n${lines('new')}c\nd\n`)).toBe(hunk);
    });

    it('marks the end of a text without a line feed', () => {
      const end = '\\ No newline at end of file\n';
      const hunk = `@@ -1,50000 +1,50000 @@\n${marked('-', 'old')}${end}${marked('+', 'new')}`;
      expect(diff(lines('old', ''), lines('new'))).toBe(hunk);
    });
  });
});
