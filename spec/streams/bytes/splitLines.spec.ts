import fc from 'fast-check';
import { from } from 'rxjs';
import { splitLines } from '../../../src/streams/bytes/splitLines';
import { marbles } from '../../support/marbles';
import { cuts, through, tokenize } from '../../support/streams';

/** All lines of a whole text: the plain model. */
const linesOf = (text: string): string[] => {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, ''));
};

describe('splitLines', () => {
  const piece = { a: 'one', b: '\n', c: 'two\nthr', d: 'ee\n\nfour\n', e: 'five', r: '\r', s: '\r\n' };
  const line = { A: 'one', B: 'two', C: 'three', D: '', E: 'four', F: 'five', R: '\r' };

  it(
    'emits a line once it is whole, all lines of one piece in one instant',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -a-b--c--d-----|', piece);
      const expected = '   ---A--B--(CDE)-|';
      expectObservable(text$.pipe(splitLines())).toBe(expected, line);
    }),
  );

  it(
    'ends a line at LF and at CRLF, also when the two are parted',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -a-s-a-r-b-r-r-b|', piece);
      const expected = '   ---A-----A-----R|';
      expectObservable(text$.pipe(splitLines())).toBe(expected, line);
    }),
  );

  it(
    'emits a last line that has no end, and nothing after one that has',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a--e---|    ', piece).pipe(splitLines())).toBe('--------(G|)', { G: 'onefive' });
      expectObservable(hot('-a--r---|    ', piece).pipe(splitLines())).toBe('--------(A|)', line);
      expectObservable(hot('-a--b---|    ', piece).pipe(splitLines())).toBe('----A---|', line);
    }),
  );

  it(
    'emits empty lines',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -b-s-(rb)|', piece);
      const expected = '   -D-D-D---|';
      expectObservable(text$.pipe(splitLines())).toBe(expected, line);
    }),
  );

  it(
    'is never and empty as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<string>('---').pipe(splitLines())).toBe('---');
      expectObservable(cold<string>('--|').pipe(splitLines())).toBe('--|');
    }),
  );

  it(
    'passes an error on and drops the half line before it',
    marbles(({ hot, expectObservable }) => {
      const text$ = hot('  -a-b-e-#', piece);
      const expected = '   ---A---#';
      expectObservable(text$.pipe(splitLines())).toBe(expected, line);
    }),
  );

  it(
    'stops when nobody listens, between two lines of one piece too',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const text$ = hot('  -d---d', piece);
      const stop = '       ---!  ';
      const expected = '   -(XDE)';
      expectObservable(text$.pipe(splitLines()), stop).toBe(expected, { ...line, X: 'ee' });
      expectSubscriptions(text$.subscriptions).toBe('^--!');
    }),
  );

  it(
    'keeps each subscription to itself',
    marbles(({ cold, expectObservable }) => {
      const line$ = cold('-a-|', piece).pipe(splitLines());
      expectObservable(line$).toBe('---(A|)', line);
      expectObservable(line$).toBe('---(A|)', line);
    }),
  );

  it('joins a line of 10 MB that comes in many pieces', () => {
    const long = `${'x'.repeat(9_999_999)}é`;
    const pieces = [
      ...tokenize(
        long,
        Array.from({ length: 200 }, (_, i) => i * 50_021),
      ),
      '\nnext\n',
    ];
    const lines = through(splitLines(), pieces);
    expect(lines.map((one) => one.length)).toEqual([10_000_000, 4]);
    expect(lines[0] === long).toBe(true);
  });

  it('keeps only so much of a long line, however it comes, and all of the next', () => {
    const pieces = ['12345', '67', '8', '\n12345\n1234', '56\r\n\nend', 'ing'];
    expect(through(splitLines({ maxLength: 5 }), pieces)).toEqual(['12345', '12345', '12345', '', 'endin']);
  });

  it('gives the same lines however the text is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\n', '\r', '\r\n', '\u2028', '\0') });
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        expect(through(splitLines(), tokenize(whole, places))).toEqual(linesOf(whole));
      }),
    );
  });

  it('keeps the end of a line that is too long, however it is cut', () => {
    const text = `${'a'.repeat(30)}${'b'.repeat(500)}END\nshort\n`;
    const linesOf = (pieces: string[]): string[] => {
      const lines: string[] = [];
      from(pieces)
        .pipe(splitLines({ maxLength: 20, endLength: 5 }))
        .subscribe((line) => lines.push(line));
      return lines;
    };
    for (const size of [1, 3, 7, 100, 1_000]) {
      expect(linesOf(text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [])).toEqual([
        `${'a'.repeat(15)}bbEND`,
        'short',
      ]);
    }
  });
});
