import { recordCalls, type Said } from '../../src/tape';
import { marbles } from '../support/marbles';

const seamOf = (said: Said[]) => {
  let last = 0;
  return {
    tape: (one: Said) => void said.push(one),
    seam: 'model',
    newCall: () => ++last,
    ofQuestion: (question: string) => `?${question}`,
    ofAnswer: (answer: string) => `!${answer}`,
  };
};
const told = (call: number, dir: string, line: string): Said => ({ dir, line, seam: 'model', call });

describe('recordCalls', () => {
  it(
    'tapes each question and its answers under the number of its call',
    marbles(({ cold, expectObservable, flush }) => {
      const said: Said[] = [];
      const ask = recordCalls(seamOf(said), (question: string) => cold(question === 'q' ? '-a--b|' : '--a|'));
      expectObservable(ask('q')).toBe('-a--b|');
      expectObservable(ask('r')).toBe('--a|');
      flush();
      expect(said).toEqual([
        told(1, 'in', '?q'),
        told(2, 'in', '?r'),
        told(1, 'out', '!a'),
        told(2, 'out', '!a'),
        told(1, 'out', '!b'),
      ]);
    }),
  );

  it(
    'tapes that a call failed, and that it was stopped',
    marbles(({ cold, expectObservable, flush }) => {
      const said: Said[] = [];
      const ask = recordCalls(seamOf(said), (question: string) =>
        question === 'q' ? cold<string>('--#', {}, new Error('down')) : cold<string>('-----a|'),
      );
      expectObservable(ask('q')).toBe('--#', {}, new Error('down'));
      expectObservable(ask('r'), '---!').toBe('----');
      flush();
      expect(said.slice(2)).toEqual([told(1, 'note', 'failed: down'), told(2, 'note', 'stopped')]);
    }),
  );
});
