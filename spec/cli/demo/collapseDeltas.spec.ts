import { collapseDeltas } from '../../../src/cli/demo/toMarks';
import { marbles } from '../../support/marbles';
import { delta, mark } from './marks';

const a = mark({ lane: 'request', symbol: 'c' });
const b = mark({ lane: 'answer', symbol: 'C' });
const [d, e, f] = [delta('Hel', 2), delta('lo ', 3), delta('there', 4)];
const o = { ...delta('out', 5), name: 'exec_command_output_delta' };
const D = { ...d, untilMs: 4, count: 3, delta: 'Hello there', text: '"Hello there"' };
const E = { ...e, text: '"lo"' };
const O = { ...o, text: '"out"' };
const all = { a, b, d, e, f, o, D, E, O };

describe('collapseDeltas', () => {
  it(
    'emits a run of deltas as one, when something else comes',
    marbles(({ hot, expectObservable }) => {
      const mark$ = hot('a-def--b---|', all);
      const expected = ' a------(Db)|';
      expectObservable(mark$.pipe(collapseDeltas())).toBe(expected, all);
    }),
  );

  it(
    'emits the run that has grown when the source completes',
    marbles(({ hot, expectObservable }) => {
      const mark$ = hot('-def-|', all);
      const expected = ' -----(D|)';
      expectObservable(mark$.pipe(collapseDeltas())).toBe(expected, all);
    }),
  );

  it(
    'keeps deltas of different kinds apart',
    marbles(({ hot, expectObservable }) => {
      const mark$ = hot('-eo--|', all);
      const expected = ' --E--(O|)';
      expectObservable(mark$.pipe(collapseDeltas())).toBe(expected, all);
    }),
  );

  it(
    'passes never, nothing and errors on',
    marbles(({ hot, cold, expectObservable }) => {
      expectObservable(hot<typeof a>('-').pipe(collapseDeltas())).toBe('-');
      expectObservable(cold<typeof a>('-|').pipe(collapseDeltas())).toBe('-|');
      expectObservable(hot('-ad#', all).pipe(collapseDeltas())).toBe('-a-#', all);
    }),
  );

  it(
    'stops its source early',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const mark$ = hot(' a-a-a-', all);
      const unsub = '    ---!';
      expectObservable(mark$.pipe(collapseDeltas()), unsub).toBe('a-a-', all);
      expectSubscriptions(mark$.subscriptions).toBe('^--!');
    }),
  );
});
