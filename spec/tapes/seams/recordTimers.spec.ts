import type { RecordedLine } from '../../../src/tapes/format/tape';
import { recordTimers } from '../../../src/tapes/seams/recordTimers';
import { marbles } from '../../support/marbles';

describe('recordTimers', () => {
  it(
    'notes each timer and when it is over, or given up',
    marbles(({ expectObservable, flush }) => {
      const lines: RecordedLine[] = [];
      const wait = recordTimers((line) => void lines.push(line));
      expectObservable(wait(3)).toBe('---(a|)', { a: 0 });
      expectObservable(wait(9), '-----!').toBe('-----');
      flush();
      expect(lines.map(({ seam, dir, line, call }) => `${seam} ${call} ${dir} ${line}`)).toEqual([
        'timer 3 1 in null',
        'timer 9 2 in null',
        'timer 3 1 out null',
        'timer 9 2 note stopped',
      ]);
    }),
  );

  it(
    'is a plain timer without a tape',
    marbles(({ expectObservable }) => {
      expectObservable(recordTimers(undefined)(2)).toBe('--(a|)', { a: 0 });
    }),
  );
});
