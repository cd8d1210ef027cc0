import { CHANCE_SEAM, isTimerSeam, recordCalls, recordChance, timerSeam } from '../../../src/tapes/format/seams';
import type { RecordedLine } from '../../../src/tapes/format/tape';
import { marbles } from '../../support/marbles';

const seamOf = (lines: RecordedLine[]) => {
  let last = 0;
  return {
    tape: (one: RecordedLine) => void lines.push(one),
    seam: 'model',
    newCall: () => ++last,
    toRequestLine: (request: string) => `?${request}`,
    toResponseLine: (answer: string) => `!${answer}`,
  };
};
const line = (call: number, dir: string, text: string): RecordedLine => ({ dir, line: text, seam: 'model', call });

describe('recordCalls', () => {
  it(
    'tapes each request and its answers under the number of its call',
    marbles(({ cold, expectObservable, flush }) => {
      const lines: RecordedLine[] = [];
      const ask = recordCalls(seamOf(lines), (request: string) => cold(request === 'q' ? '-a--b|' : '--a|'));
      expectObservable(ask('q')).toBe('-a--b|');
      expectObservable(ask('r')).toBe('--a|');
      flush();
      expect(lines).toEqual([
        line(1, 'in', '?q'),
        line(2, 'in', '?r'),
        line(1, 'out', '!a'),
        line(2, 'out', '!a'),
        line(1, 'out', '!b'),
      ]);
    }),
  );

  it(
    'tapes no stop after the last response',
    marbles(({ cold, expectObservable, flush }) => {
      const lines: RecordedLine[] = [];
      const seam = { ...seamOf(lines), isLast: (answer: string) => answer === 'z' };
      expectObservable(recordCalls(seam, () => cold('-a-z----'))('q'), '-----!').toBe('-a-z--');
      flush();
      expect(lines.map(({ line: text }) => text)).toEqual(['?q', '!a', '!z']);
    }),
  );

  it(
    'tapes that a call failed, and that it was stopped',
    marbles(({ cold, expectObservable, flush }) => {
      const lines: RecordedLine[] = [];
      const ask = recordCalls(seamOf(lines), (request: string) =>
        request === 'q' ? cold<string>('--#', {}, new Error('down')) : cold<string>('-----a|'),
      );
      expectObservable(ask('q')).toBe('--#', {}, new Error('down'));
      expectObservable(ask('r'), '---!').toBe('----');
      flush();
      expect(lines.slice(2)).toEqual([line(1, 'note', 'failed: down'), line(2, 'note', 'stopped')]);
    }),
  );
});

describe('isTimerSeam', () => {
  it.each([
    [timerSeam(10_000), true],
    ['timers', false],
    ['model', false],
  ])('of %s is %j', (seam, expected) => {
    expect(isTimerSeam(seam)).toBe(expected);
  });
});

describe('recordChance', () => {
  it('records each value that is drawn, with its name', () => {
    const lines: RecordedLine[] = [];
    let count = 0;
    const draw = recordChance((line) => lines.push(line))('id', () => `id-${++count}`);
    expect([draw(), draw()]).toEqual(['id-1', 'id-2']);
    expect(lines).toEqual(['id-1', 'id-2'].map((id) => ({ dir: 'out', seam: CHANCE_SEAM, line: `["id","${id}"]` })));
  });

  it('leaves a source as it is without a tape', () => {
    expect(recordChance(undefined)('time', Date.now)).toBe(Date.now);
  });
});
