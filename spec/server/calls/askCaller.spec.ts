import { type Observable, of } from 'rxjs';
import type { ReviewResult } from '../../../src/protocol/codex';
import { askCaller } from '../../../src/server/calls/askCaller';
import type { EngineInput } from '../../../src/server/calls/step';
import { marbles } from '../../support/marbles';

type Given = Extract<EngineInput, { kind: 'verdict' }>;

const verdict = (question: number): Given => ({ kind: 'verdict', question, verdict: { decision: 'approved' } });
const given = { y: verdict(0), o: verdict(5) };

/** The ids of the questions as letters and the verdicts as they are. */
const ask = (given$: Observable<Given>, askable = true): Observable<unknown> => {
  let next = 0;
  const port = askCaller({ newQuestionId: () => next++, askTimeoutMs: 600_000 }, given$);
  return port<number | ReviewResult>(
    { callId: 'c', askable },
    (id) => id,
    (said) => of(said),
  );
};

const said = {
  Q: 0,
  Y: { decision: 'approved', question: 0 },
  L: { decision: 'denied', reason: 'nobody answered within 600 s', question: 0 },
  U: { decision: 'denied', reason: 'the client cannot be asked (it declared no elicitation)' },
};

describe('askCaller', () => {
  it(
    'asks and goes on with the verdict on its question, no other',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const given$ = hot('  --o-y--', given);
      const subs = '        ^---!';
      const expected = '    Q---(Y|)';
      expectObservable(ask(given$)).toBe(expected, said);
      expectSubscriptions(given$.subscriptions).toBe(subs);
    }),
  );

  it(
    'does not lose a verdict that comes synchronously with the question',
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot('(yo)', given))).toBe('(QY|)', said);
    }),
  );

  it(
    'denies when nobody answers in time',
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot('--', given))).toBe('Q 599999ms (L|)', said);
    }),
  );

  it(
    'denies at once for a caller that cannot be asked',
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot('--', given), false)).toBe('(U|)', said);
    }),
  );

  it(
    'forgets the question when it is unsubscribed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const given$ = hot('  ----y-', given);
      expectObservable(ask(given$), '^-!').toBe('Q--', said);
      expectSubscriptions(given$.subscriptions).toBe('^-!');
    }),
  );
});
