import { map } from 'rxjs';
import type { RecordedLine } from '../../../src/tapes/format/tape';
import { recordWire } from '../../../src/tapes/seams/recordWire';
import { marbles } from '../../support/marbles';

const toCapital = map((line: string) => line.toUpperCase());

describe('recordWire', () => {
  it(
    'records both sides, and that nobody reads any more',
    marbles(({ hot, expectObservable, flush }) => {
      const lines: string[] = [];
      const tape = ({ dir, line }: RecordedLine) => void lines.push(`${dir} ${line}`);
      expectObservable(hot('a-b').pipe(recordWire(tape)(toCapital)), '-!').toBe('A');
      flush();
      expect(lines).toEqual(['in a', 'out A', 'note standard output closed']);
    }),
  );

  it(
    'notes the end of the input only, where all was read',
    marbles(({ hot, expectObservable, flush }) => {
      const lines: string[] = [];
      const tape = ({ dir, line }: RecordedLine) => void lines.push(`${dir} ${line}`);
      expectObservable(hot('a|').pipe(recordWire(tape)(toCapital))).toBe('A|');
      flush();
      expect(lines).toEqual(['in a', 'out A', 'note standard input closed']);
    }),
  );

  it('is the server itself without a tape', () => {
    expect(recordWire(undefined)(toCapital)).toBe(toCapital);
  });
});
