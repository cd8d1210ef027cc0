/** The state of all calls of a connection: which request waits for which call, and what it is sent. Knows neither time nor protocol. */
import type { ReviewResult } from '../../protocol/codex/engine';
import { type CodexEvent, type Event, isLast } from '../../protocol/codex/events';
import {
  type AwaitingInput,
  type Call,
  type CallState,
  type Calls,
  type Cancelled,
  callOf,
  callsInOrder,
  dropCall,
  putCall,
  type Running,
} from './calls';
import { pauseCall, toUnsent, waitForCall, whileAwaitingInput } from './pauses';
import { valuesOf } from './persistentMap';
import { askByResult, hurryQuestions, isQuestion, type Question, resumeCall } from './questions';
import { type CallInput, type CallOutput, type CallStep, toEventOutput, toStep, withdrawn } from './step';
import {
  advanceTurn,
  closeQuestions,
  doneOf,
  isAsking,
  type LastEvent,
  type Outcome,
  openQuestions,
  outcomeOf,
  turnOn,
} from './turn';

/** `(state, input) => { state, output, ops }`. Exactly one output ends each request: `suspended`, `cancelled`, `finished` or `rejected`. */
export const reduceCalls = <C>(state: Calls<C>, input: CallInput<C>): CallStep<C> => {
  switch (input.kind) {
    case 'begin':
      return begin(state, input);
    case 'resume':
      return resumeCall(state, input);
    case 'answered':
      return answer(state, input.question, input.verdict);
    case 'cancel':
      return cancelCalls(state, ({ call }) => !call.isDetached && call.requestId === input.requestId);
    case 'stop':
      return cancelCalls(state, ({ call }) => call.callId === input.callId);
    case 'pause':
      return pauseCall(state, input.requestId);
    case 'wait':
      return waitForCall(state, input);
    case 'detach':
      return detach(state, input.callId);
    case 'leave':
      return leave(state, input.cause);
    case 'end':
      return end(state, input.cause);
    default:
      return receiveEvent(state, input);
  }
};

const begin = <C>(state: Calls<C>, { call, op, beganMs }: Extract<CallInput<C>, { kind: 'begin' }>): CallStep<C> => {
  const turn = { ...turnOn(op.thread, state.newest), ...(beganMs !== undefined && { beganMs }) };
  const entry: Running<C> = { phase: 'running', call, order: state.begun, turn };
  return {
    state: { ...putCall(state, entry), begun: state.begun + 1, newest: turn.threadId },
    output: [{ kind: 'begun', call, op }],
    ops: [...hurryQuestions(state, turn.threadId), op],
  };
};

/** The answer of a client that was asked by a request, which may come while no request waits; any other answer has no effect. */
const answer = <C>(state: Calls<C>, question: number, verdict: ReviewResult): CallStep<C> => {
  const entry = valuesOf(state.open).find(
    (one): one is Running<C> | AwaitingInput<C> => 'turn' in one && isAsking(one.turn, question),
  );
  if (entry === undefined || (entry.phase === 'awaitingInput' && entry.call.asksBy === 'result')) return toStep(state);
  const turn = closeQuestions(entry.turn, [question]);
  return { ...toStep(putCall(state, { ...entry, turn })), ops: [{ kind: 'verdict', question, verdict }] };
};

/** The engine is stopped with the stream of its operations, so nothing is interrupted one by one. */
const end = <C>(state: Calls<C>, cause: string): CallStep<C> =>
  toStep(
    { ...state, ended: true },
    callsInOrder(state)
      .filter(isRunning)
      .flatMap((entry) => stopped(entry, cause)),
  );

const stopped = <C>({ call, turn }: Running<C>, cause: string): CallOutput<C>[] => [
  ...withdrawn(call, openQuestions(turn), 'the call is over'),
  { kind: 'finished', call, outcome: { kind: 'stopped', threadId: turn.threadId, cause, ...doneOf(turn) } },
];

/** The engine goes on for the calls that are tasks, so the others are interrupted one by one: nobody will ask for them. */
const leave = <C>(state: Calls<C>, cause: string): CallStep<C> =>
  callsInOrder(state)
    .filter((entry) => isRunning(entry) || entry.phase === 'awaitingInput')
    .filter(({ call }) => !call.isDetached)
    .reduce<CallStep<C>>((step, entry) => after(step, leaveCall(step.state, entry, cause)), toStep(state));

const leaveCall = <C>(state: Calls<C>, entry: CallState<C>, cause: string): CallStep<C> => ({
  state: putCall(state, { phase: 'cancelled', call: entry.call, order: entry.order }),
  output: isRunning(entry) ? stopped(entry, cause) : [],
  ops: [{ kind: 'interrupt', callId: entry.call.callId }],
});

const isRunning = <C>(entry: CallState<C>): entry is Running<C> => entry.phase === 'running';

/** From now on no request waits for the call, so that cancelling its request changes nothing. */
const detach = <C>(state: Calls<C>, callId: string): CallStep<C> => {
  const entry = callOf(state, callId);
  if (entry?.phase !== 'running') return toStep(state);
  const call = { ...entry.call, isDetached: true } as const;
  return toStep(putCall(state, { ...entry, call }), [{ kind: 'detached', call }]);
};

/**
 * Cancels the calls that are chosen: their turns are interrupted, and their requests get no response. A request that was answered with questions
 * or with a task is over, so cancelling it changes nothing. Source: 2026-07-28 basic/patterns/cancellation "Error Handling".
 */
const cancelCalls = <C>(state: Calls<C>, isChosen: (entry: Running<C>) => boolean): CallStep<C> =>
  callsInOrder(state)
    .filter(isRunning)
    .filter(isChosen)
    .reduce<CallStep<C>>((step, entry) => after(step, cancelCall(step.state, entry)), toStep(state));

const after = <C>(first: CallStep<C>, second: CallStep<C>): CallStep<C> => ({
  state: second.state,
  output: [...first.output, ...second.output],
  ops: [...first.ops, ...second.ops],
});

const cancelCall = <C>(state: Calls<C>, { call, order, turn }: Running<C>): CallStep<C> => ({
  state: putCall(state, { phase: 'cancelled', call, order }),
  output: [...withdrawn(call, openQuestions(turn), 'the call was cancelled'), { kind: 'cancelled', call }],
  ops: [{ kind: 'interrupt', callId: call.callId }],
});

/** Events of unknown or finished calls change nothing. */
const receiveEvent = <C>(state: Calls<C>, event: Event): CallStep<C> => {
  const entry = callOf(state, event.callId);
  switch (entry?.phase) {
    case 'running': {
      const step = whileRunning(state, entry, event);
      return entry.turn.isDue ? after(step, pauseCall(step.state, entry.call.requestId)) : step;
    }
    case 'awaitingInput':
      return whileAwaitingInput(state, entry, event);
    case 'cancelled':
      return whileCancelled(state, entry, event);
    default:
      return toStep(state);
  }
};

/** A delta leaves the state unchanged, so nothing is copied. */
const whileRunning = <C>(state: Calls<C>, entry: Running<C>, event: Event): CallStep<C> => {
  const { call } = entry;
  const turn = advanceTurn(entry.turn, event);
  const next = turn === entry.turn ? entry : { ...entry, turn };
  if (event.kind === 'declined' || event.kind === 'withdrawn') {
    const left = openQuestions(turn);
    const closed = openQuestions(entry.turn).filter((question) => !left.includes(question));
    return toStep(putCall(state, next), withdrawn(call, closed, event.reason ?? 'it was declined'));
  }
  const kept = next === entry ? state : putCall(state, next);
  if (event.kind === 'deltas') return toStep(kept, [{ kind: 'deltas', call, event }]);
  if (event.kind === 'sampling') return toStep(kept, [{ kind: 'sampling', call, event }]);
  if (event.kind === 'file') return toStep(kept, [{ kind: 'client', call, event }]);
  if (event.kind === 'terminal') {
    const step = toStep(kept, [{ kind: 'client', call, event }]);
    return { ...step, ops: [{ kind: 'wait', question: event.question, limit: 'none' }] }; // a command has a limit of its own
  }
  if (event.kind !== 'event' || isLast(event)) return finish(state, next, event);
  if (isQuestion(event)) return ask(state, next, event);
  return toStep(kept, [toEventOutput(call, event, 'live')]);
};

const ask = <C>(state: Calls<C>, entry: Running<C>, event: Question): CallStep<C> => {
  const { call } = entry;
  if (call.asksBy === 'result') return askByResult(state, entry, event);
  const live = toEventOutput(call, event, 'live');
  const step = toStep(putCall(state, entry), [live, { kind: 'question', call, question: event.question, event }]);
  return call.asksBy === 'task' ? { ...step, ops: [{ kind: 'wait', question: event.question, limit: 'none' }] } : step;
};

const finish = <C>(state: Calls<C>, { call, turn }: Running<C>, last: LastEvent): CallStep<C> => {
  const outcome = outcomeOf(turn, last);
  const isNoThread = last.kind === 'rejected' && state.newest === turn.threadId;
  return toStep(dropCall(isNoThread ? { ...state, newest: undefined } : state, call.callId), [
    ...(last.kind === 'event' ? [toLastOutput(call, last, outcome)] : []),
    ...withdrawn(call, openQuestions(turn), 'the call is over'),
    { kind: 'finished', call, outcome },
  ]);
};

const toLastOutput = <C>(call: Call<C>, last: CodexEvent, { kind }: Outcome): CallOutput<C> => ({
  ...toEventOutput(call, last, 'live'),
  ...(kind === 'failed' && { isFailure: true }),
});

const whileCancelled = <C>(state: Calls<C>, { call }: Cancelled<C>, event: Event): CallStep<C> =>
  toStep(isLast(event) ? dropCall(state, call.callId) : state, toUnsent(call, event, 'missed'));
