import { logLines } from '../../src/executor/logLines';
import type { LogRecord } from '../../src/protocol/log';
import { marbles } from '../support/marbles';

const collecting = () => {
  const records: LogRecord[] = [];
  return {
    records,
    log: (level: LogRecord['level'], message: string, fields = {}) => records.push({ level, message, fields }),
  };
};
const logged = (line: string) => ({
  level: 'info',
  message: 'a process wrote to its error output',
  fields: { program: 'p', line },
});
const dropped = (droppedLines: number) => ({
  level: 'warning',
  message: 'error output of a process was too fast to log',
  fields: { program: 'p', droppedLines },
});

describe('logLines', () => {
  it(
    'makes one record of each line, and emits nothing',
    marbles(({ hot, flush, expectObservable }) => {
      const { records, log } = collecting();
      const line$ = hot('  -a-b-|');
      const expected = '   -----|';
      expectObservable(line$.pipe(logLines({ log, program: 'p' }))).toBe(expected);
      flush();
      expect(records).toEqual([logged('a'), logged('b')]);
    }),
  );

  it(
    'drops what is too much for a second, and reports how much with the next line or at the end',
    marbles(({ hot, flush, expectObservable }) => {
      const { records, log } = collecting();
      const line$ = hot('  (abcd) 995ms e(fgh) 1s |');
      expectObservable(line$.pipe(logLines({ log, program: 'p', perSecond: 2 }))).toBe('2007ms |');
      flush();
      expect(records).toEqual([logged('a'), logged('b'), dropped(2), logged('e'), logged('f'), dropped(2)]);
    }),
  );

  it(
    'is never, empty and failed as its source is',
    marbles(({ cold, expectObservable }) => {
      const operator = logLines({ log: () => {}, program: 'p' });
      expectObservable(cold<string>('---').pipe(operator)).toBe('---');
      expectObservable(cold<string>('--|').pipe(operator)).toBe('--|');
      expectObservable(cold<string>('-a#').pipe(operator)).toBe('--#');
    }),
  );
});
