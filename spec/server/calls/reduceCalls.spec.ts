import type { TurnOp } from '../../../src/protocol/codex/operations';
import { type Call, type Calls, noCalls } from '../../../src/server/calls/calls';
import { reduceCalls } from '../../../src/server/calls/reduceCalls';
import type { CallInput, CallStep } from '../../../src/server/calls/step';
import { newTurn } from '../../../src/server/calls/turn';
import { again, byResult, callA, callsOf, events, opA, type Waiting } from '../../support/calls';
import { THREAD, turnEventOf } from '../../support/mcp';

describe('reduceCalls', () => {
  describe('a call', () => {
    it('sends the events of its turn, and then the outcome', () => {
      const state = play(
        [begin(), [begun()], [opA]],
        [events.started, [live(events.started)]],
        [events.delta, [live(events.delta)]],
        [deltas, [{ kind: 'deltas', call: callA, event: deltas }]],
        [events.message, [live(events.message)]],
        [events.complete, [live(events.complete), finished(completed)]],
      );
      expect(state).toEqual(over);
    });

    it('fails with the error that the engine reported', () => {
      const failed = { kind: 'failed', threadId: THREAD, message: 'model down', notDone: [] } as const;
      play(
        ...started,
        [events.error, [live(events.error)]],
        [events.complete, [{ ...live(events.complete), isFailure: true }, finished(failed)]],
      );
    });

    it('is aborted with its turn', () => {
      const aborted = { kind: 'aborted', threadId: THREAD, notDone: [] } as const;
      play(...started, [events.aborted, [live(events.aborted), finished(aborted)]]);
    });

    it('is rejected if its turn cannot begin', () => {
      play([begin(), [begun()], [opA]], [events.refused, [finished({ kind: 'rejected', message: 'no such thread' })]]);
    });

    it('names what was declined in its outcome', () => {
      play(
        ...started,
        [{ ...events.declined, question: undefined }],
        [events.complete, [live(events.complete), finished({ ...completed, notDone: [late] })]],
      );
    });

    it('keeps the same state for a delta', () => {
      const before = play(...started);
      expect(reduceCalls(before, events.delta).state).toBe(before);
    });

    it('is unknown before its begin and after its end', () => {
      const none = [answered, cancel('1'), ...Object.values(events)].map((input): Step => [input]);
      const unknown: Step = [resume(7), [rejected('unknown')]];
      play(...none, unknown, ...started, [events.aborted, [expect.anything(), expect.anything()]], ...none, unknown);
    });
  });

  describe('a question to the client', () => {
    it('is a request, whose answer goes to the engine', () => {
      const state = play(...started, ...asked, [answered, [], [verdict]], [answered]);
      const steps = ['thinking', "waiting for approval: touch 'a b'"];
      expect(state).toEqual(callsOf({ ...running, turn: { ...running.turn, steps } }));
    });

    it('may be for the model of the client', () => {
      const state = play(...started, ...sampled, [answered, [], [verdict]]);
      expect(state).toEqual(callsOf({ ...running, turn: { ...running.turn, steps: ['thinking'] } }));
    });

    it('may be about a terminal, and waits for its answer as long as the call goes on', () => {
      const ops: Step[2] = [{ kind: 'wait', question: 7, limit: 'none' }];
      const asked: Step = [terminal, [{ kind: 'client', call: callA, event: terminal }], ops];
      play(...started, asked, [answered, [], [verdict]]);
      const reason = 'not waited for';
      play(...started, asked, [{ kind: 'withdrawn', callId: 'a', question: 7, reason }, [withdrawn(reason)]]);
    });

    it.each(['asked', 'sampled'] as const)('is withdrawn if its call is cancelled: %s', (how) => {
      const open = how === 'asked' ? asked : sampled;
      play(...started, ...open, [cancel('1'), [withdrawn('the call was cancelled'), silent], [interrupt]]);
    });

    it('is withdrawn if the engine declines the action, or the call ends', () => {
      play(...started, ...asked, [events.declined, [withdrawn('late')]]);
      play(...started, ...asked, [
        events.complete,
        [live(events.complete), withdrawn('the call is over'), finished(completed)],
      ]);
    });
  });

  describe('a question to a client that is asked by the result of its request', () => {
    it('ends the request; a second request brings the answer, and gets what happened meanwhile', () => {
      play(
        ...suspended,
        [events.delta, [later(events.delta)]],
        [deltas, [{ kind: 'deltas', call: byResult, event: deltas, isMissed: true }]],
        [events.message, [later(events.message)]],
        [resume(7), [resumed, replayed(events.message)], [verdict]],
        [events.complete, [live(events.complete, again), finished(completed, again)]],
      );
    });

    it('leaves every delta out of what happened meanwhile', () => {
      const reasoning = turnEventOf(opA, { type: 'agent_reasoning_delta', delta: 'a', item_id: 'i' });
      play(...suspended, [reasoning, [later(reasoning as typeof events.delta)]], [resume(7), [resumed], [verdict]]);
    });

    it('is asked again with the others that are still open', () => {
      const left = new Map([[8, events.second]]);
      play(
        ...suspended,
        [events.second, [later(events.second)]],
        [
          resume(7),
          [resumed, replayed(events.second), { kind: 'suspended', call: again, questions: left }],
          [verdict, { kind: 'wait', question: 8, limit: 'long' }],
        ],
      );
    });

    it('keeps the outcome of a call that ended meanwhile for the next request, once', () => {
      const state = play(
        ...suspended,
        [events.message, [later(events.message)]],
        [events.complete, [later(events.complete)]],
        [events.delta],
        [answered],
        [cancel('1')],
        [resume(7), [resumed, replayed(events.message), replayed(events.complete), finished(completed, again)]],
        [resume(7), [rejected('unknown')]],
      );
      expect(state).toEqual(over);
    });

    it('needs no answer if its action was declined meanwhile', () => {
      play(
        ...suspended,
        [events.declined],
        [resume(), [resumed]],
        [events.complete, [live(events.complete, again), finished({ ...completed, notDone: [late] }, again)]],
      );
    });

    it('is open for one request at a time', () => {
      play(...suspended, [answered], [cancel('1')], [resume(7), [resumed], [verdict]], [resume(7), [rejected('busy')]]);
    });
  });

  describe('a cancelled call', () => {
    it('gets no response and nothing more, until its turn has ended', () => {
      const state = play(
        ...started,
        [cancel('2')],
        [cancel('1'), [silent], [interrupt]],
        [events.delta, [missed(events.delta)]],
        [events.declined],
        [answered],
        [cancel('1')],
        [resume(7), [rejected('unknown')]],
        [events.aborted, [missed(events.aborted)]],
      );
      expect(state).toEqual(over);
    });

    it('may be one of two that share an id of their request, in their order, and no other', () => {
      const [twin, other] = [
        { ...callA, callId: 'b' },
        { ...callA, callId: 'c', requestId: '2' },
      ];
      play(
        ...[callA, twin, other].map((call): Step => [begin(call), [begun(call)], [opA]]),
        [events.started, [live(events.started)]],
        [cancel('1'), [silent, { kind: 'cancelled', call: twin }], [interrupt, { kind: 'interrupt', callId: 'b' }]],
        [{ ...events.started, callId: 'c' }, [live({ ...events.started, callId: 'c' }, other)]],
      );
    });
  });

  describe('the end of the connection', () => {
    it('stops the calls that a request waits for', () => {
      const stopped = { kind: 'stopped', threadId: THREAD, cause: 'The input ended.', notDone: [] } as const;
      const state = play(...started, ...asked, [end, [withdrawn('the call is over'), finished(stopped)]]);
      expect(state.ended).toBe(true);
    });

    it('sends nothing of a call without a waiting request', () => {
      play(...suspended, [end]);
      play(...started, [cancel('1'), [silent], [interrupt]], [end]);
      play(...suspended, [events.complete, [later(events.complete)]], [end]);
    });
  });

  describe('a second call for a thread', () => {
    const other: Call<Waiting> = { ...callA, callId: 'b', requestId: '3' };
    const on = (thread: TurnOp['thread']): TurnOp => ({ ...opA, callId: 'b', thread });
    const hurried = (question: number) => ({ kind: 'wait', question, limit: 'short' }) as const;
    const secondOn = (op: TurnOp, ...before: CallStep<Waiting>['ops']): Step => [
      { kind: 'begin', call: other, op },
      [begun(other, op)],
      [...before, op],
    ];

    it.each<[string, TurnOp['thread']]>([
      ['by its id', { id: THREAD.toUpperCase() }],
      ['as the newest', { newest: true }],
    ])('shortens the wait of questions whose client is away, if it names the thread %s', (_, thread) => {
      play(...suspended, secondOn(on(thread), hurried(7)), [events.second, [later(events.second)], [hurried(8)]]);
    });

    it.each<[string, TurnOp['thread']]>([
      ['another thread', { id: 'other' }],
      ['a new thread', { start: {} }],
    ])('leaves questions to their time if it is for %s', (_, thread) => {
      play(...suspended, secondOn(on(thread)));
    });

    it('leaves questions of a waiting client to their time', () => {
      play(...started, ...asked, secondOn(on({ id: THREAD })));
    });

    it('has no newest thread after a named thread that is not there', () => {
      const named = play(...suspended, secondOn(on({ id: 'gone' })));
      const { state } = reduceCalls(named, { ...events.refused, callId: 'b' });
      expect([named.newest, state.newest]).toEqual(['gone', undefined]);
    });
  });
});

/** An input, and the output and the operations that it leads to. */
type Step = [input: CallInput<Waiting>, output?: CallStep<Waiting>['output'], ops?: CallStep<Waiting>['ops']];

/** Plays the steps on a new connection. Returns its last state; no state is changed in place. */
const play = (...steps: Step[]): Calls<Waiting> =>
  steps.reduce((before, [input, output = [], ops = []]) => {
    const copy = structuredClone(before);
    const { state, ...emitted } = reduceCalls(before, input);
    expect(emitted).toEqual({ output, ops });
    expect(before).toEqual(copy);
    return state;
  }, noCalls<Waiting>());

const begin = (call = callA): CallInput<Waiting> => ({ kind: 'begin', call, op: opA });
const begun = (call = callA, op = opA) => ({ kind: 'begun', call, op }) as const;
const resume = (...questions: number[]): CallInput<Waiting> => {
  return { kind: 'resume', call: again, verdicts: new Map(questions.map((question) => [question, approved])) };
};
const cancel = (requestId: string): CallInput<Waiting> => ({ kind: 'cancel', requestId });
const end: CallInput<Waiting> = { kind: 'end', cause: 'The input ended.' };
const approved = { decision: 'approved' } as const;
const answered: CallInput<Waiting> = { kind: 'answered', question: 7, verdict: approved };
const verdict = { kind: 'verdict', question: 7, verdict: approved } as const;
const interrupt = { kind: 'interrupt', callId: 'a' } as const;

const deltas = { ...events.delta, kind: 'deltas', msgs: [events.delta.msg, events.delta.msg] } as const;
const sampling = { kind: 'sampling', callId: 'a', threadId: THREAD, question: 7, params: {} } as const;
const terminal = {
  kind: 'terminal',
  callId: 'a',
  threadId: THREAD,
  question: 7,
  request: { act: 'wait', terminal: 't' },
} as const;
const late = { what: '`touch`', reason: 'late' };
const completed = { kind: 'completed', threadId: THREAD, text: 'done', notDone: [] } as const;

type Shown = (typeof events)['delta'];
const live = (event: Shown, call = callA) => ({ kind: 'event', call, event, delivery: 'live' }) as const;
const later = (event: Shown) => ({ kind: 'event', call: byResult, event, delivery: 'later' }) as const;
const missed = (event: Shown, call = callA) => ({ kind: 'event', call, event, delivery: 'missed' }) as const;
const replayed = (event: Shown) => ({ kind: 'event', call: again, event, delivery: 'replayed' }) as const;
const withdrawn = (reason: string) => ({ kind: 'withdrawn', call: callA, questions: [7], reason }) as const;
const resumed = { kind: 'resumed', call: again } as const;
const silent = { kind: 'cancelled', call: callA } as const;
const rejected = (reason: 'unknown' | 'busy') => ({ kind: 'rejected', call: again, reason }) as const;
type Finished = Extract<CallStep<Waiting>['output'][number], { kind: 'finished' }>;
const finished = (outcome: Finished['outcome'], call = callA): Finished => ({ kind: 'finished', call, outcome });

/** The first steps of a call: it has begun; its client is asked, or its model; it waits for answers by another request. */
const started: Step[] = [
  [begin(), [begun()], [opA]],
  [events.started, [live(events.started)]],
];
const asked: Step[] = [
  [events.question, [live(events.question), { kind: 'question', call: callA, question: 7, event: events.question }]],
];
const sampled: Step[] = [[sampling, [{ kind: 'sampling', call: callA, event: sampling }]]];
const suspended: Step[] = [
  [begin(byResult), [begun(byResult)], [opA]],
  [
    events.question,
    [
      live(events.question, byResult),
      { kind: 'suspended', call: byResult, questions: new Map([[7, events.question]]) },
    ],
  ],
];

/** The states of a call that runs on, and of a connection whose call is over. */
const running = { phase: 'running', call: callA, order: 0, turn: { ...newTurn, threadId: THREAD } } as const;
const over = { ...noCalls<Waiting>(), begun: 1, newest: THREAD };
