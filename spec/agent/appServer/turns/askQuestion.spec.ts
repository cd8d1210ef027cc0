import { EMPTY, merge, mergeMap, type Observable, of } from 'rxjs';
import type { TurnInput } from '../../../../src/agent/appServer/turns/reduceTurn';
import { type AskQuestionDeps, askQuestion } from '../../../../src/agent/appServer/turns/runTurn';
import type { ReviewResult } from '../../../../src/protocol/codex/approval';
import type { Ask } from '../../../../src/protocol/codex/engine';
import type { Request } from '../../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../../support/marbles';
import { notification } from '../connection/link';
import { turn } from '../support';

const op = turn('a', 'go') as AskQuestionDeps['op'];
const request: Request = { kind: 'request', id: 0, method: 'item/commandExecution/requestApproval', params: {} };

/** A person whose decision is a stream. */
const asking =
  (review$: Observable<ReviewResult>): Ask =>
  (_, question, then) =>
    merge(of(question(7)), review$.pipe(mergeMap((review) => then({ ...review, question: 7 }))));

/** Nobody can be asked. */
const declining: Ask = (_, _question, then) => then({ decision: 'denied', reason: 'nobody is there' });

const reviews: Record<string, ReviewResult> = { y: { decision: 'approved' } };
const messages = {
  r: notification('serverRequest/resolved', { requestId: 0 }),
  o: notification('serverRequest/resolved', { requestId: 1 }),
  m: notification('warning', { requestId: 0 }),
};
const inputs: Record<string, TurnInput> = {
  R: request,
  A: { kind: 'asked', request, question: 7 },
  D: { kind: 'decided', request, decision: { decision: 'approved', question: 7 } },
  N: { kind: 'decided', request, decision: { decision: 'denied', reason: 'nobody is there' } },
  W: { kind: 'withdrawn', request, question: 7 },
};

describe('askQuestion', () => {
  it.each([
    ['emits the request, that it was asked, and the decision', '--------(y|)', '---', '(RA)----(D|)'],
    ['waits as long as nobody decides', '---', '---', '(RA)'],
    ['is withdrawn by the server', '---------y', '-----r', '(RA)-(W|)'],
    ['is not withdrawn after the decision', '-----(y|)', '------r', '(RA)-(D|)'],
    ['is not withdrawn with another, nor by another notification', '--------(y|)', '-----om', '(RA)----(D|)'],
  ])('%s', (_, review, source, expected) =>
    marbles(({ cold, hot, expectObservable }) => {
      const message$ = hot(source, messages);
      expectObservable(askQuestion({ ask: asking(cold(review, reviews)), op, message$ }, request)).toBe(
        expected,
        inputs,
      );
    })(),
  );

  it(
    'is decided at once where nobody can be asked',
    marbles(({ expectObservable }) => {
      expectObservable(askQuestion({ ask: declining, op, message$: EMPTY }, request)).toBe('(RN|)', inputs);
    }),
  );

  it(
    'forgets the question when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const review$ = cold('-----y', reviews);
      expectObservable(askQuestion({ ask: asking(review$), op, message$: EMPTY }, request), '^--!').toBe(
        '(RA)',
        inputs,
      );
      expectSubscriptions(review$.subscriptions).toBe('^--!');
    }),
  );
});
