import { merge, mergeMap, type Observable, of } from 'rxjs';
import {
  type ApprovalDecision,
  askUntilWithdrawn,
  declinedEvents,
  isApproved,
  isApprovedForSession,
  rejectedOutput,
  sessionApprovals,
} from '../../../src/agent/turns/approval';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import { marbles } from '../../support/marbles';
import { call } from './support';

const all: ReviewResult[] = [
  { decision: 'approved' },
  { decision: 'approved_for_session' },
  { decision: 'denied' },
  { decision: 'abort' },
];

describe('isApproved', () => {
  it('holds for what may be done', () => {
    expect(all.map(isApproved)).toEqual([true, true, false, false]);
  });
});

describe('isApprovedForSession', () => {
  it('holds for what may be done without asking again', () => {
    expect(all.map(isApprovedForSession)).toEqual([false, true, false, false]);
  });
});

describe('declinedEvents', () => {
  const declined = (reason?: string, question?: number) => [
    { kind: 'declined', callId: 'a', what: '`rm x`', reason, question },
  ];
  it.each<[string, ApprovalDecision, object[]]>([
    ['a plain yes', { decision: 'approved', question: 1 }, []],
    ['a plain no', { decision: 'denied', question: 1 }, declined(undefined, 1)],
    ['nobody who answered', { decision: 'denied', reason: 'no answer', question: 1 }, declined('no answer', 1)],
    ['nobody who could be asked', { decision: 'denied', reason: 'no client' }, declined('no client')],
    [
      'a turn that was stopped',
      { decision: 'abort', question: 1 },
      declined('the user stopped the turn at this question', 1),
    ],
  ])('names to the caller what was not done because of %s', (_, decision, events) => {
    expect(declinedEvents(call('a'), '`rm x`', decision)).toEqual(events);
  });
});

describe('rejectedOutput', () => {
  it.each<[ReviewResult, string]>([
    [{ decision: 'denied' }, 'tool call rejected by user'],
    [{ decision: 'abort' }, 'tool call rejected by user'],
    [{ decision: 'denied', reason: 'nobody is there' }, 'tool call rejected: nobody is there'],
  ])('reports %j to the model', (review, text) => {
    expect(rejectedOutput('tool call', review)).toBe(text);
  });
});

describe('askUntilWithdrawn', () => {
  const askingWith =
    (review$: Observable<ReviewResult>): Ask =>
    (_, question, then) =>
      merge(of(question(7)), review$.pipe(mergeMap((review) => then({ ...review, question: 7 }))));
  const asked = (ask: Ask, withdrawn$: Observable<unknown>) =>
    askUntilWithdrawn<string>(ask, call('a'), {
      question: (id) => `Q${id}`,
      decided: ({ decision, question }) => of(`${decision} ${question}`),
      withdrawn$,
      onWithdrawn: (question) => `W${question}`,
    });
  const out = { Q: 'Q7', D: 'approved 7', W: 'W7' };

  it.each([
    ['emits what follows the decision', '----(y|)', '------', 'Q---(D|)'],
    ['emits that the question was withdrawn', '------y', '---x--', 'Q--(W|)'],
    ['is not withdrawn once it is answered', '--(y|)', '---x--', 'Q-(D|)'],
    ['waits as long as nobody decides', '------', '------', 'Q-----'],
    ['is withdrawn where no decision will come', '--|', '------', 'Q-(W|)'],
  ])('%s', (_, review, withdrawn, expected) =>
    marbles(({ cold, hot, expectObservable }) => {
      const values: Record<string, ReviewResult> = { y: { decision: 'approved' } };
      expectObservable(asked(askingWith(cold(review, values)), hot(withdrawn))).toBe(expected, out);
    })(),
  );

  it(
    'withdraws nothing where nobody could be asked',
    marbles(({ hot, expectObservable }) => {
      const nobody: Ask = (_, __, then) => then({ decision: 'denied', reason: 'no client' });
      expectObservable(asked(nobody, hot('---x'))).toBe('(D|)', { D: 'denied undefined' });
    }),
  );

  it(
    'forgets its question when it is unsubscribed',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const review$ = cold<ReviewResult>('-----y');
      expectObservable(asked(askingWith(review$), hot('-')), '^--!').toBe('Q--', out);
      expectSubscriptions(review$.subscriptions).toBe('^--!');
    }),
  );
});

describe('sessionApprovals', () => {
  it('knows what was approved, of its own thread only', () => {
    const [one, two] = [sessionApprovals(), sessionApprovals()];
    one.add('ls');
    one.add('ls');
    expect([one.has('ls'), one.has('rm'), two.has('ls')]).toEqual([true, false, false]);
  });
});
