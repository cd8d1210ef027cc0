import { record } from '../../../src/tapes/format/record';
import type { RecordedLine } from '../../../src/tapes/format/tape';
import { marbles } from '../../support/marbles';

describe('record', () => {
  it(
    'passes each line and tapes it in the same instant',
    marbles(({ hot, expectObservable, flush }) => {
      const line$ = hot('  -a--b-|');
      const expected = '   -a--b-|';
      const taped: RecordedLine[] = [];
      expectObservable(line$.pipe(record((line) => taped.push(line), 'in'))).toBe(expected);
      flush();
      expect(taped).toEqual([
        { dir: 'in', line: 'a' },
        { dir: 'in', line: 'b' },
        { dir: 'note', line: 'standard input closed' },
      ]);
    }),
  );

  it(
    'tapes lines that leave together one by one',
    marbles(({ hot, expectObservable, flush }) => {
      const line$ = hot('  -a-|', { a: 'x\ny' });
      const expected = '   -a-|';
      const taped: RecordedLine[] = [];
      expectObservable(line$.pipe(record((line) => taped.push(line), 'out'))).toBe(expected, { a: 'x\ny' });
      flush();
      expect(taped).toEqual([
        { dir: 'out', line: 'x' },
        { dir: 'out', line: 'y' },
      ]);
    }),
  );

  it(
    'is never, empty and broken as its source is',
    marbles(({ cold, expectObservable }) => {
      const passing = record(() => {}, 'out');
      expectObservable(cold<string>('---').pipe(passing)).toBe('---');
      expectObservable(cold<string>('--|').pipe(passing)).toBe('--|');
      expectObservable(cold<string>('--#').pipe(passing)).toBe('--#');
    }),
  );
});
