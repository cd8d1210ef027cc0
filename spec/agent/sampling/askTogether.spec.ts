import { defer, EMPTY, map, of, timer } from 'rxjs';
import { askTogether } from '../../../src/agent/sampling/askTogether';
import type { Turn, TurnStep } from '../../../src/agent/thread/steps';
import { type AssessedCall, type ToolRow, toolTable } from '../../../src/agent/tools/tool';
import type { ReviewResult } from '../../../src/protocol/codex/engine';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { marbles } from '../../support/marbles';
import { type Answered, call, first, modelOf, personOf, turnOf } from '../support';

const calls = { a: call('a', {}, 'tool'), b: call('b', {}, 'tool') };
const says = (message: string): EventMsg => ({ type: 'background_event', message });
const output = (of: keyof typeof calls, text: string): TurnStep => ({ kind: 'output', call: calls[of], text });

const steps: Record<string, TurnStep> = {
  P: first.event(says('may a?'), { question: 0 }),
  Q: first.event(says('may b?'), { question: 1 }),
  R: first.event(says('may b now?'), { question: 2 }),
  A: output('a', 'done'),
  B: output('b', 'done'),
  N: output('b', 'tool call rejected by user'),
  D: { kind: 'declined', callId: 'a', what: 'b', reason: undefined, question: 1 },
  S: { kind: 'declined', callId: 'a', what: 'b', reason: 'the user stopped the turn at this question', question: 1 },
  W: { kind: 'withdrawn', callId: 'a', question: 1, reason: 'it is not asked any more' },
  X: first.aborted,
};

const yes: ReviewResult = { decision: 'approved' };
/** x, y are yes to the first and the second question, z to the third; n is no to the second, s stops the turn there. */
const answers: Record<string, Answered> = {
  x: { id: 0, verdict: yes },
  y: { id: 1, verdict: yes },
  z: { id: 2, verdict: yes },
  n: { id: 1, verdict: { decision: 'denied' } },
  s: { id: 1, verdict: { decision: 'abort' } },
};

/** What a tool says about the call b, once a has run. */
type After = { message: string } | 'run';

/** A turn whose tool asks about each call, and runs for four frames. */
const turnWith = (after: After): Turn => {
  let hasRun = false;
  const assess = (callId: string): AssessedCall => {
    const run = () =>
      timer(4).pipe(
        map(() => {
          hasRun = true;
          return { kind: 'output', text: 'done' } as const;
        }),
      );
    const isLater = callId === 'b' && hasRun;
    if (isLater && after === 'run') return { verdict: 'run', run };
    const message = isLater && after !== 'run' ? after.message : `may ${callId}?`;
    return { verdict: 'ask', approval: { msg: says(message), subject: callId, what: 'tool call', keys: [] }, run };
  };
  const tool: ToolRow = {
    spec: undefined as never,
    names: ['tool'],
    assess: ({ callId }) => defer(() => of(assess(callId))),
  };
  return { ...turnOf(modelOf([]).model), tools: toolTable([tool]) };
};

const same: After = { message: 'may b?' };

describe('askTogether', () => {
  it.each<[string, After, { answer: string; out: string }]>([
    ['asks about all calls, and runs them in order', same, { answer: '--x--y', out: '(PQ)--A---B' }],
    ['takes the answers in any order', same, { answer: '--y--x', out: '(PQ)-----A---B' }],
    ['runs nothing before its own answer', same, { answer: '--y---', out: '(PQ)' }],
    ['declines one call, and runs the other', same, { answer: '--n--x', out: '(PQ)-----(ADN)' }],
    ['is stopped at any question', same, { answer: '----s-', out: '(PQ)(SNX)' }],
    [
      'asks again if the question is another one by then',
      { message: 'may b now?' },
      { answer: '--y--x--------z', out: '(PQ)-----(AR)-----B' },
    ],
    ['does not ask any more what is approved by then', 'run', { answer: '--x-----', out: '(PQ)--(AW)B' }],
  ])('%s', (_, after, { answer, out }) =>
    marbles(({ hot, cold, expectObservable }) => {
      const ask = personOf(hot(answer, answers));
      expectObservable(cold('(ab)', calls).pipe(askTogether(ask, turnWith(after)))).toBe(out, steps);
    })(),
  );

  it(
    'assesses no call any more when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const assess$ = cold<AssessedCall>('--------r', { r: { verdict: 'refuse', output: 'no' } });
      const turn = turnWith(same);
      const assess = () => assess$;
      const own = { ...turn, tools: toolTable([{ spec: undefined as never, names: ['tool'], assess }]) };
      expectObservable(hot('-a', calls).pipe(askTogether(personOf(EMPTY), own)), '---!').toBe('----');
      expectSubscriptions(assess$.subscriptions).toBe('-^-!');
    }),
  );

  it(
    'asks nothing if no call asks, and completes with the last call',
    marbles(({ cold, expectObservable }) => {
      const ask = personOf(EMPTY);
      const turn = { ...turnWith(same), tools: toolTable([]) };
      expectObservable(cold('(ab|)', calls).pipe(askTogether(ask, turn))).toBe('(UV|)', {
        U: { ...output('a', 'unsupported call: tool'), isRefused: true },
        V: { ...output('b', 'unsupported call: tool'), isRefused: true },
      });
    }),
  );
});
