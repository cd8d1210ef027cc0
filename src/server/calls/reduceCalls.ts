/**
 * The state of all calls of a connection: which request waits for which call, and what it is sent. A pure reducer; it starts
 * nothing and knows no time and no protocol.
 */
import type { ReviewResult } from '../../protocol/codex/approval';
import type { AwaitingInput, Call, CallState, Calls, Finished, Running } from './call';
import { cancelCalls } from './cancelCalls';
import { hurryQuestions } from './hurryQuestions';
import { callOf, callsInOrder, dropCall, putCall } from './openCalls';
import { valuesOf } from './persistentMap';
import { receiveEvent } from './receiveEvent';
import { type CallInput, type CallOutput, type CallStep, type EngineInput, toEventOutput, toStep } from './step';
import { denyUnasked, isAskedEnough, suspendCall } from './suspendCall';
import { closeQuestions, isAsking, openQuestions, turnOn } from './turn';
import { withdrawn } from './withdrawn';

/**
 * `(state, input) => { state, output, ops }`. For each request that began or resumed a call there is exactly one output that
 * ends it: `suspended`, `cancelled`, `finished` or `rejected`.
 */
export const reduceCalls = <C>(state: Calls<C>, input: CallInput<C>): CallStep<C> => {
  switch (input.kind) {
    case 'event':
    case 'deltas':
    case 'declined':
    case 'sampling':
    case 'rejected':
    case 'done':
    case 'joined':
      return receiveEvent(state, input);
    case 'begin':
      return begin(state, input);
    case 'resume':
      return resumeCall(state, input);
    case 'answered':
      return answer(state, input.question, input.verdict);
    case 'cancel':
      return cancelCalls(state, input.requestId);
    case 'end':
      return end(state, input.cause);
  }
};

const begin = <C>(state: Calls<C>, { call, op }: Extract<CallInput<C>, { kind: 'begin' }>): CallStep<C> => {
  const turn = turnOn(op.thread, state.newest);
  const entry: Running<C> = { phase: 'running', call, order: state.begun, turn };
  return {
    state: { ...putCall(state, entry), begun: state.begun + 1, newest: turn.threadId },
    output: [{ kind: 'begun', call, op }],
    ops: [...hurryQuestions(state, turn.threadId), op],
  };
};

/** The answer of a client that was asked by a request; any other answer has no effect. */
const answer = <C>(state: Calls<C>, question: number, verdict: ReviewResult): CallStep<C> => {
  const entry = valuesOf(state.open)
    .filter(isRunning)
    .find(({ turn }) => isAsking(turn, question));
  if (entry === undefined) return toStep(state);
  const turn = closeQuestions(entry.turn, [question]);
  return { ...toStep(putCall(state, { ...entry, turn })), ops: [{ kind: 'verdict', question, verdict }] };
};

/** The engine is stopped with the stream of its operations, so nothing is interrupted one by one. */
const end = <C>(state: Calls<C>, cause: string): CallStep<C> =>
  toStep(
    { ...state, ended: true },
    callsInOrder(state)
      .filter(isRunning)
      .flatMap(({ call, turn }): CallOutput<C>[] => [
        ...withdrawn(call, openQuestions(turn), 'the call is over'),
        { kind: 'finished', call, outcome: { kind: 'stopped', threadId: turn.threadId, cause, notDone: turn.notDone } },
      ]),
  );

const isRunning = <C>(entry: CallState<C>): entry is Running<C> => entry.phase === 'running';

/** A request that resumes a call, with answers to the questions of an earlier one. */
type Resume<C> = Extract<CallInput<C>, { kind: 'resume' }>;

/**
 * The step of a request that resumes a call. The request first receives the buffered events. It then waits where the call runs
 * on, receives the outcome where the call has finished, or the questions that are still open; these are denied where the client was asked
 * often enough. A request whose client cannot be asked must answer them all: any other is rejected, and they stay open. A call that another
 * request waits for rejects it as busy.
 */
export const resumeCall = <C>(state: Calls<C>, { call, verdicts }: Resume<C>): CallStep<C> => {
  const entry = callOf(state, call.callId);
  switch (entry?.phase) {
    case 'awaitingInput':
      return goOn(state, { ...entry, call }, verdicts);
    case 'finished':
      return claim(state, { ...entry, call });
    case 'running':
      return toStep(state, [{ kind: 'rejected', call, reason: 'busy' }]);
    default:
      return toStep(state, [{ kind: 'rejected', call, reason: 'unknown' }]);
  }
};

/** Answers to questions that are not open are ignored. */
const goOn = <C>(
  state: Calls<C>,
  entry: AwaitingInput<C>,
  verdicts: ReadonlyMap<number, ReviewResult>,
): CallStep<C> => {
  const { call, order, buffered } = entry;
  const given = [...verdicts].filter(([question]) => entry.turn.questions.has(question));
  const turn = closeQuestions(
    entry.turn,
    given.map(([question]) => question),
  );
  if (call.cannotAsk !== undefined && turn.questions.size > 0) {
    return toStep(state, [{ kind: 'rejected', call, reason: 'unaskable' }]);
  }
  const output = attached(call, buffered);
  const isOver = isAskedEnough(turn);
  const ops = [
    ...given.map(([question, verdict]): EngineInput => ({ kind: 'verdict', question, verdict })),
    ...[...turn.questions.keys()].map(isOver ? denyUnasked : waitLong),
  ];
  const step =
    turn.questions.size > 0 && !isOver
      ? suspendCall(state, { ...entry, turn }, output)
      : toStep(putCall(state, { phase: 'running', call, order, turn }), output);
  return { ...step, ops };
};

const waitLong = (question: number): EngineInput => ({ kind: 'wait', question, limit: 'long' });

const claim = <C>(state: Calls<C>, { call, buffered, outcome }: Finished<C>): CallStep<C> =>
  toStep(dropCall(state, call.callId), [...attached(call, buffered), { kind: 'finished', call, outcome }]);

const attached = <C>(call: Call<C>, buffered: AwaitingInput<C>['buffered']): CallOutput<C>[] => [
  { kind: 'resumed', call },
  ...buffered.map((event) => toEventOutput(call, event, 'replayed')),
];
