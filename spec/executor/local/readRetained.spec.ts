import { readRetained } from '../../../src/executor/local/localBackend';
import type { OutputPage } from '../../../src/protocol/exec/process';
import { marbles } from '../../support/marbles';

const page = (own: Partial<OutputPage>): OutputPage => ({
  chunks: [],
  nextSeq: 3,
  exited: false,
  exitCode: null,
  closed: false,
  failure: null,
  ...own,
});
const UPDATES = {
  output: page({ chunks: [{ seq: 3, stream: 'stdout', chunk: new Uint8Array(1) }] }),
  exit: page({ nextSeq: 4, exited: true, exitCode: 0 }),
  close: page({ closed: true }),
};
const NONE = page({});
const from = { afterSeq: 2, waitMs: 5 };

/** Pages as they come: one per look. */
const pages = (...list: OutputPage[]) => {
  let look = 0;
  return () => list[Math.min(look++, list.length - 1)] as OutputPage;
};

describe('readRetained', () => {
  it.each(Object.values(UPDATES))('answers at once what is new %#', (update) => {
    marbles(({ hot, expectObservable }) => {
      const change$ = hot('---');
      expectObservable(readRetained({ page: pages(update), change$ })(from)).toBe('(P|)', { P: update });
    })();
  });

  it(
    'answers at once when it is not to wait',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const change$ = hot('---');
      expectObservable(readRetained({ page: pages(NONE), change$ })({ ...from, waitMs: 0 })).toBe('(P|)', { P: NONE });
      expectSubscriptions(change$.subscriptions).toBe([]);
    }),
  );

  it(
    'waits for the first change that is new',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const change$ = hot('-a-b----');
      const expected = '   ---(P|)';
      const sub = '        ^--!';
      expectObservable(readRetained({ page: pages(NONE, NONE, UPDATES.exit), change$ })(from)).toBe(expected, {
        P: UPDATES.exit,
      });
      expectSubscriptions(change$.subscriptions).toBe(sub);
    }),
  );

  it(
    'answers what there is when its time is over, or when no more changes come',
    marbles(({ hot, expectObservable }) => {
      const seen = page({ nextSeq: 3, exited: true, exitCode: 1 });
      expectObservable(readRetained({ page: pages(NONE, seen), change$: hot('-------') })(from)).toBe('-----(P|)', {
        P: seen,
      });
      expectObservable(readRetained({ page: pages(NONE, seen), change$: hot('--|') })(from)).toBe('--(P|)', {
        P: seen,
      });
    }),
  );
});
