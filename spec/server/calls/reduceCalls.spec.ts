import type { TurnOp } from '../../../src/protocol/codex/operations';
import type { Call, CallState, Calls } from '../../../src/server/calls/call';
import { noCalls, putCall } from '../../../src/server/calls/openCalls';
import { getValue } from '../../../src/server/calls/persistentMap';
import { reduceCalls } from '../../../src/server/calls/reduceCalls';
import type { CallInput, CallStep } from '../../../src/server/calls/step';
import { newTurn, type Turn } from '../../../src/server/calls/turn';
import { again, byResult, callA, callsOf, events, opA, type Waiting } from '../../support/calls';
import { THREAD } from '../../support/mcp';

type Input = CallInput<Waiting>;
type Expected = Partial<CallStep<Waiting>>;

const late = { what: '`touch`', reason: 'late' };
const approved = { decision: 'approved' } as const;
const inTurn: Turn = { ...newTurn, threadId: THREAD };
const asked: Turn = { ...inTurn, questions: new Map([[7, events.question]]) };
const askedTwice: Turn = {
  ...inTurn,
  questions: new Map([
    [7, events.question],
    [8, events.second],
  ]),
};

const running = (turn: Turn = inTurn, call = callA) => ({ phase: 'running', call, order: 0, turn }) as const;
const awaiting = (turn: Turn = asked, buffered: readonly (typeof events.message)[] = []) =>
  ({ phase: 'awaitingInput', call: byResult, order: 0, turn, buffered }) as const;
const cancelled = { phase: 'cancelled', call: callA, order: 0 } as const;
const outcome = { kind: 'completed', threadId: THREAD, text: 'done', notDone: [] } as const;
const finished = {
  phase: 'finished',
  call: byResult,
  order: 0,
  buffered: [events.message, events.complete],
  outcome,
} as const;

const inputs = {
  begin: { kind: 'begin', call: callA, op: opA },
  resume: { kind: 'resume', call: again, verdicts: new Map([[7, approved]]) },
  resumeEmpty: { kind: 'resume', call: again, verdicts: new Map() },
  resumeOther: { kind: 'resume', call: again, verdicts: new Map([[9, approved]]) },
  answered: { kind: 'answered', question: 7, verdict: approved },
  cancel: { kind: 'cancel', requestId: '1' },
  cancelOther: { kind: 'cancel', requestId: '2' },
  end: { kind: 'end', cause: 'The input ended.' },
} as const satisfies Record<string, Input>;

const deltas = { ...events.delta, kind: 'deltas', msgs: [events.delta.msg, events.delta.msg] } as const;

const sampling = { kind: 'sampling', callId: 'a', threadId: THREAD, question: 7, params: {} } as const;

const live = (event: (typeof events)['delta'], call = callA) =>
  ({ kind: 'event', call, event, delivery: 'live' }) as const;
const missed = (event: (typeof events)['delta'], call = byResult) =>
  ({ kind: 'event', call, event, delivery: 'missed' }) as const;
const replayed = (event: (typeof events)['delta']) =>
  ({ kind: 'event', call: again, event, delivery: 'replayed' }) as const;
const interrupt = { kind: 'interrupt', callId: 'a' } as const;
const given = { kind: 'verdict', question: 7, verdict: approved } as const;

/** The expected step; what is not named stays as it was, or empty. The newest thread stays known when its call is over. */
const check = (before: Calls<Waiting>, input: Input, { state = before, ...expected }: Expected): void => {
  const copy = structuredClone(before);
  const after = { ...state, newest: state.newest ?? before.newest };
  expect(reduceCalls(before, input)).toEqual({ state: after, output: [], ops: [], ...expected });
  expect(before).toEqual(copy);
};

const over = { ...noCalls<Waiting>(), begun: 1 };

describe('reduceCalls', () => {
  it('begins a call', () => {
    check(noCalls(), inputs.begin, {
      state: callsOf({ phase: 'running', call: callA, order: 0, turn: newTurn }),
      output: [{ kind: 'begun', call: callA, op: opA }],
      ops: [opA],
    });
  });

  it.each<[string, Input]>([...Object.entries(events), ['answered', inputs.answered], ['cancel', inputs.cancel]])(
    'passes over %s where there is no call',
    (_, input) => {
      check(noCalls(), input, {});
    },
  );

  it('rejects a request that resumes no call', () => {
    check(noCalls(), inputs.resume, { output: [{ kind: 'rejected', call: again, reason: 'unknown' }] });
  });

  describe('with a call that runs', () => {
    const turn = (changes: Partial<Turn>) => callsOf(running({ ...inTurn, ...changes }));

    it.each<[string, CallState<Waiting>, Input, Expected]>([
      ['the first event', running(newTurn), events.started, { state: turn({}), output: [live(events.started)] }],
      ['a delta', running(), events.delta, { output: [live(events.delta)] }],
      ['deltas that arrived together', running(), deltas, { output: [{ kind: 'deltas', call: callA, event: deltas }] }],
      [
        'a request to the model of the client',
        running(),
        sampling,
        { state: turn({ sampling: 7 }), output: [{ kind: 'sampling', call: callA, event: sampling }] },
      ],
      [
        'the answer of the model of the client',
        running({ ...inTurn, sampling: 7 }),
        inputs.answered,
        { state: callsOf(running()), ops: [given] },
      ],
      [
        'a cancel while the model of the client is asked',
        running({ ...inTurn, sampling: 7 }),
        inputs.cancel,
        {
          state: callsOf(cancelled),
          output: [
            { kind: 'withdrawn', call: callA, questions: [7], reason: 'the call was cancelled' },
            { kind: 'cancelled', call: callA },
          ],
          ops: [interrupt],
        },
      ],
      ['an error', running(), events.error, { state: turn({ error: 'model down' }), output: [live(events.error)] }],
      [
        'a question',
        running(),
        events.question,
        {
          state: callsOf(running(asked)),
          output: [live(events.question), { kind: 'question', call: callA, question: 7, event: events.question }],
        },
      ],
      [
        'a question to a caller that is asked by the result',
        running(inTurn, byResult),
        events.question,
        {
          state: callsOf(awaiting({ ...asked, rounds: 1 })),
          output: [live(events.question, byResult), { kind: 'suspended', call: byResult, questions: asked.questions }],
        },
      ],
      [
        'what was declined after a question',
        running(asked),
        events.declined,
        {
          state: turn({ notDone: [late] }),
          output: [{ kind: 'withdrawn', call: callA, questions: [7], reason: 'late' }],
        },
      ],
      [
        'what was declined without a question',
        running(asked),
        { ...events.declined, question: undefined },
        { state: callsOf(running({ ...asked, notDone: [late] })) },
      ],
      [
        'its end',
        running({ ...inTurn, notDone: [late] }),
        events.complete,
        {
          state: over,
          output: [live(events.complete), { kind: 'finished', call: callA, outcome: { ...outcome, notDone: [late] } }],
        },
      ],
      [
        'its end after an error, with a question open',
        running({ ...asked, error: 'model down' }),
        events.complete,
        {
          state: over,
          output: [
            { ...live(events.complete), isFailure: true },
            { kind: 'withdrawn', call: callA, questions: [7], reason: 'the call is over' },
            {
              kind: 'finished',
              call: callA,
              outcome: { kind: 'failed', threadId: THREAD, message: 'model down', notDone: [] },
            },
          ],
        },
      ],
      [
        'an abort',
        running(),
        events.aborted,
        {
          state: over,
          output: [
            live(events.aborted),
            { kind: 'finished', call: callA, outcome: { kind: 'aborted', threadId: THREAD, notDone: [] } },
          ],
        },
      ],
      [
        'a refusal',
        running(newTurn),
        events.refused,
        {
          state: over,
          output: [{ kind: 'finished', call: callA, outcome: { kind: 'rejected', message: 'no such thread' } }],
        },
      ],
      ['an answer', running(asked), inputs.answered, { state: turn({}), ops: [given] }],
      ['an answer to no question', running(), inputs.answered, {}],
      [
        'another request for it',
        running(),
        inputs.resume,
        { output: [{ kind: 'rejected', call: again, reason: 'busy' }] },
      ],
      [
        'a cancel',
        running(),
        inputs.cancel,
        { state: callsOf(cancelled), output: [{ kind: 'cancelled', call: callA }], ops: [interrupt] },
      ],
      [
        'a cancel with a question open',
        running(asked),
        inputs.cancel,
        {
          state: callsOf(cancelled),
          output: [
            { kind: 'withdrawn', call: callA, questions: [7], reason: 'the call was cancelled' },
            { kind: 'cancelled', call: callA },
          ],
          ops: [interrupt],
        },
      ],
      ['a cancel of another request', running(), inputs.cancelOther, {}],
      [
        'the end of the connection',
        running({ ...asked, notDone: [late] }),
        inputs.end,
        {
          state: { ...callsOf(running({ ...asked, notDone: [late] })), ended: true },
          output: [
            { kind: 'withdrawn', call: callA, questions: [7], reason: 'the call is over' },
            {
              kind: 'finished',
              call: callA,
              outcome: { kind: 'stopped', threadId: THREAD, cause: 'The input ended.', notDone: [late] },
            },
          ],
        },
      ],
    ])('takes %s', (_, entry, input, expected) => {
      check(callsOf(entry), input, expected);
    });

    it('keeps its state as it is for a delta', () => {
      const before = callsOf(running());
      expect(reduceCalls(before, events.delta).state).toBe(before);
    });
  });

  describe('with a call that awaits input', () => {
    it.each<[string, CallState<Waiting>, Input, Expected]>([
      ['a delta', awaiting(), events.delta, { output: [missed(events.delta)] }],
      [
        'deltas that arrived together',
        awaiting(),
        deltas,
        { output: [{ kind: 'deltas', call: byResult, event: deltas, isMissed: true }] },
      ],
      [
        'an event',
        awaiting(),
        events.message,
        { state: callsOf(awaiting(asked, [events.message])), output: [missed(events.message)] },
      ],
      [
        'another question',
        awaiting(),
        events.second,
        { state: callsOf(awaiting(askedTwice, [events.second])), output: [missed(events.second)] },
      ],
      ['what was declined', awaiting(), events.declined, { state: callsOf(awaiting({ ...inTurn, notDone: [late] })) }],
      [
        'its end',
        awaiting(asked, [events.message]),
        events.complete,
        {
          state: { ...callsOf(finished), unclaimed: ['a'] },
          output: [missed(events.complete)],
        },
      ],
      [
        'a refusal',
        awaiting(),
        events.refused,
        {
          state: {
            ...callsOf({
              phase: 'finished',
              call: byResult,
              order: 0,
              buffered: [],
              outcome: { kind: 'rejected', message: 'no such thread' },
            }),
            unclaimed: ['a'],
          },
        },
      ],
      [
        'its answers',
        awaiting(asked, [events.message]),
        inputs.resume,
        {
          state: callsOf(running(inTurn, again)),
          output: [{ kind: 'resumed', call: again }, replayed(events.message)],
          ops: [given],
        },
      ],
      [
        'one answer of two',
        awaiting(askedTwice, [events.second]),
        inputs.resume,
        {
          state: callsOf({
            ...awaiting({ ...inTurn, questions: new Map([[8, events.second]]), rounds: 1 }),
            call: again,
          }),
          output: [
            { kind: 'resumed', call: again },
            replayed(events.second),
            { kind: 'suspended', call: again, questions: new Map([[8, events.second]]) },
          ],
          ops: [given, { kind: 'wait', question: 8, limit: 'long' }],
        },
      ],
      ...[inputs.resumeEmpty, inputs.resumeOther].map((input): [string, CallState<Waiting>, Input, Expected] => [
        `a request with ${input.verdicts.size} answers, none to its question`,
        awaiting(),
        input,
        {
          state: callsOf({ ...awaiting({ ...asked, rounds: 1 }), call: again }),
          output: [
            { kind: 'resumed', call: again },
            { kind: 'suspended', call: again, questions: asked.questions },
          ],
          ops: [{ kind: 'wait', question: 7, limit: 'long' }],
        },
      ]),
      ['a response instead of a request', awaiting(), inputs.answered, {}],
      ['a cancel of the request that was answered with its questions', awaiting(), inputs.cancel, {}],
      ['the end of the connection', awaiting(), inputs.end, { state: { ...callsOf(awaiting()), ended: true } }],
    ])('takes %s', (_, entry, input, expected) => {
      check(callsOf(entry), input, expected);
    });
  });

  describe('with a call that awaits input while another one comes for its thread', () => {
    const other: Call<Waiting> = { ...callA, callId: 'b', requestId: '3' };
    const reply: TurnOp = { ...opA, callId: 'b', thread: { id: THREAD.toUpperCase() } };
    const waiting = { ...running(inTurn, other), order: 1 } as const;
    const hurried = (question: number) => ({ kind: 'wait', question, limit: 'short' }) as const;

    it.each<[string, TurnOp]>([
      ['by its id', reply],
      ['as the newest', { ...reply, thread: { newest: true } }],
    ])('shortens the wait of its question where the call names it %s', (_, op) => {
      check(
        callsOf(awaiting()),
        { kind: 'begin', call: other, op },
        {
          state: callsOf(awaiting(), waiting),
          output: [{ kind: 'begun', call: other, op }],
          ops: [hurried(7), op],
        },
      );
    });

    it('shortens the wait of its next question too', () => {
      check(callsOf(awaiting(), waiting), events.second, {
        state: callsOf(awaiting(askedTwice, [events.second]), waiting),
        output: [missed(events.second)],
        ops: [hurried(8)],
      });
    });

    it.each<[string, TurnOp]>([
      ['another thread', { ...reply, thread: { id: 'other' } }],
      ['a new thread', { ...reply, thread: { start: {} } }],
    ])('leaves it to its time where the call is for %s', (_, op) => {
      const { ops } = reduceCalls(callsOf(awaiting()), { kind: 'begin', call: other, op });
      expect(ops).toEqual([op]);
    });

    it('leaves it to its time where the newest thread is another one, whose call is over', () => {
      const state = { ...callsOf(awaiting()), begun: 2, newest: 'other' };
      const op: TurnOp = { ...reply, thread: { newest: true } };
      expect(reduceCalls(state, { kind: 'begin', call: other, op }).ops).toEqual([op]);
    });

    it('does not know the newest thread after one that was named and is not there', () => {
      const named: TurnOp = { ...reply, thread: { id: 'gone' } };
      const begun = reduceCalls(callsOf(awaiting()), { kind: 'begin', call: other, op: named }).state;
      const { state } = reduceCalls(begun, { ...events.refused, callId: 'b' });
      const op: TurnOp = { ...reply, thread: { newest: true } };
      const next = reduceCalls(state, { kind: 'begin', call: other, op }).state;
      expect([begun.newest, state.newest, next.newest]).toEqual(['gone', undefined, undefined]);
    });

    it('leaves the question of a call whose client waits to its time', () => {
      const { ops } = reduceCalls(callsOf(running(asked)), { kind: 'begin', call: other, op: reply });
      expect(ops).toEqual([reply]);
    });
  });

  describe('with a call that was cancelled', () => {
    it.each<[string, Input, Expected]>([
      ['a delta', events.delta, { output: [missed(events.delta, callA)] }],
      ['what was declined', events.declined, {}],
      ['its end', events.aborted, { state: over, output: [missed(events.aborted, callA)] }],
      ['a refusal', events.refused, { state: over }],
      ['a late answer', inputs.answered, {}],
      ['a second cancel', inputs.cancel, {}],
      ['a request for it', inputs.resume, { output: [{ kind: 'rejected', call: again, reason: 'unknown' }] }],
      ['the end of the connection', inputs.end, { state: { ...callsOf(cancelled), ended: true } }],
    ])('takes %s', (_, input, expected) => {
      check(callsOf(cancelled), input, expected);
    });
  });

  describe('with a call that finished while nobody waited', () => {
    const state = { ...callsOf(finished), unclaimed: ['a'] };

    it.each<[string, Input, Expected]>([
      ['an event that comes late', events.delta, {}],
      [
        'the request for it',
        inputs.resume,
        {
          state: over,
          output: [
            { kind: 'resumed', call: again },
            replayed(events.message),
            replayed(events.complete),
            { kind: 'finished', call: again, outcome },
          ],
        },
      ],
      ['an answer', inputs.answered, {}],
      ['a cancel', inputs.cancel, {}],
      ['the end of the connection', inputs.end, { state: { ...state, ended: true } }],
    ])('takes %s', (_, input, expected) => {
      check(state, input, expected);
    });

    it('forgets the oldest of more than a hundred', () => {
      const ids = Array.from({ length: 101 }, (_, n) => `c${n}`);
      const after = ids
        .map((callId, order): CallState<Waiting> => ({ ...awaiting(), call: { ...byResult, callId }, order }))
        .reduce((before, entry) => {
          const last = { ...events.complete, callId: entry.call.callId };
          return reduceCalls(putCall(before, entry), last).state;
        }, noCalls<Waiting>());
      expect(after.unclaimed).toEqual(ids.slice(1));
      expect(getValue(after.open, 'c0')).toBeUndefined();
      expect(getValue(after.open, 'c1')?.phase).toBe('finished');
    });
  });

  describe('with two calls of one request id', () => {
    const other = { ...callA, callId: 'b' };
    const both = callsOf(running(), { ...running(inTurn, other), order: 1 });

    it('finishes each by its own event', () => {
      check(both, events.complete, {
        state: { ...callsOf({ ...running(inTurn, other), order: 1 }), begun: 2 },
        output: [live(events.complete), { kind: 'finished', call: callA, outcome }],
      });
    });

    it('cancels both, in their order', () => {
      check(both, inputs.cancel, {
        state: callsOf(cancelled, { ...cancelled, call: other, order: 1 }),
        output: [
          { kind: 'cancelled', call: callA },
          { kind: 'cancelled', call: other },
        ],
        ops: [interrupt, { kind: 'interrupt', callId: 'b' }],
      });
    });
  });
});
