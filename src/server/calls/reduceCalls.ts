/**
 * The state of all calls of a connection: which request waits for which call, and what it is sent. A pure reducer; it starts
 * nothing and knows no time and no protocol.
 */
import type { ReviewResult } from '../../protocol/codex/approval';
import type { CallState, Calls, Running } from './call';
import { cancelCalls } from './cancelCalls';
import { hurryQuestions } from './hurryQuestions';
import { callsInOrder, putCall } from './openCalls';
import { valuesOf } from './persistentMap';
import { receiveEvent } from './receiveEvent';
import { resumeCall } from './resumeCall';
import { type CallInput, type CallOutput, type CallStep, toStep } from './step';
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
