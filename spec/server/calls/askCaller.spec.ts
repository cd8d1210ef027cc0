import { EMPTY, type Observable, of } from 'rxjs';
import type { ReviewResult } from '../../../src/protocol/codex/engine';
import { askCaller } from '../../../src/server/calls/askCaller';
import type { EngineInput } from '../../../src/server/calls/step';
import { marbles } from '../../support/marbles';

const verdict = (question: number): EngineInput => ({ kind: 'verdict', question, verdict: { decision: 'approved' } });
const wait = (question: number, limit: 'long' | 'short' | 'back'): EngineInput => ({ kind: 'wait', question, limit });
/** y answers the question, o another one; l and s begin its time again, b only if it was shortened, p shortens that of another one. */
const given = {
  y: verdict(0),
  o: verdict(5),
  l: wait(0, 'long'),
  b: wait(0, 'back'),
  s: wait(0, 'short'),
  p: wait(5, 'short'),
};

/** The ids of the questions as letters and the verdicts as they are. */
const ask = (given$: Observable<EngineInput>, askable = true): Observable<unknown> => {
  let next = 0;
  const port = askCaller({ newQuestionId: () => next++, askTimeoutMs: 600_000 }, given$);
  return port<number | ReviewResult>(
    { callId: 'c', askable },
    (id) => id,
    (emitted) => of(emitted),
  );
};

const emitted = {
  Q: 0,
  Y: { decision: 'approved', question: 0 },
  L: { decision: 'denied', reason: 'nobody answered within 600 s', question: 0 },
  A: {
    decision: 'denied',
    reason: 'the client did not come back with an answer, and another call waited for the thread',
    question: 0,
  },
  U: { decision: 'denied', reason: 'the client cannot be asked (it declared no elicitation)' },
};

describe('askCaller', () => {
  it(
    'asks and goes on with the verdict on its question, no other',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const given$ = hot('  --o-y--', given);
      const subs = '        ^---!';
      const expected = '    Q---(Y|)';
      expectObservable(ask(given$)).toBe(expected, emitted);
      expectSubscriptions(given$.subscriptions).toBe([subs, subs]);
    }),
  );

  it(
    'does not lose a verdict that comes synchronously with the question',
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot('(yo)', given))).toBe('(QY|)', emitted);
    }),
  );

  it(
    'denies when nobody answers in time',
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot('--', given))).toBe('Q 599999ms (L|)', emitted);
    }),
  );

  it.each([
    ['counts the time from the last sign of its client', '9s l', 'Q 608999ms (L|)'],
    ['denies sooner where another call waits for the thread', '9s s', 'Q 18999ms (A|)'],
    ['does not wait longer for a third call', '9s s 5s s', 'Q 18999ms (A|)'],
    ['has its whole time again when its client comes back', '9s s 5s l', 'Q 614000ms (L|)'],
    ['has no more time for a client that was asked and is back', '9s b 5s b', 'Q 599999ms (L|)'],
    ['has its whole time again if that client comes back while its time is short', '9s s 5s b 5s b', 'Q 614000ms (L|)'],
    ['is shortened again after that', '9s s 5s b 5s s', 'Q 29001ms (A|)'],
    ['is not shortened with another question', '9s p', 'Q 599999ms (L|)'],
    ['takes an answer in the shortened time', '9s s 5s y', 'Q 14s (Y|)'],
  ])('%s', (_, input, expected) =>
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot(input, given))).toBe(expected, emitted);
    })(),
  );

  it(
    'names why a client that declared elicitation cannot be asked',
    marbles(({ expectObservable }) => {
      const port = askCaller({ newQuestionId: () => 0, askTimeoutMs: 1 }, EMPTY);
      const asked$ = port<unknown>(
        { callId: 'c', askable: false, cannotAsk: 'it is old' },
        (id) => id,
        (denied) => of(denied),
      );
      expectObservable(asked$).toBe('(U|)', {
        U: { decision: 'denied', reason: 'the client cannot be asked (it is old)' },
      });
    }),
  );

  it(
    'denies at once for a caller that cannot be asked',
    marbles(({ hot, expectObservable }) => {
      expectObservable(ask(hot('--', given), false)).toBe('(U|)', emitted);
    }),
  );

  it(
    'forgets the question when it is unsubscribed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const given$ = hot('  ----y-', given);
      expectObservable(ask(given$), '^-!').toBe('Q--', emitted);
      expectSubscriptions(given$.subscriptions).toBe(['^-!', '^-!']);
    }),
  );
});
