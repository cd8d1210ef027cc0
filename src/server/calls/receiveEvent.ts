/** An event of the engine, and what it means for its call. */
import { type CodexEvent, type Event, isLast } from '../../protocol/codex/events';
import type { AwaitingInput, Call, Calls, Cancelled, Running } from './call';
import { hurryQuestion } from './hurryQuestions';
import { callOf, dropCall, keepUnclaimed, putCall } from './openCalls';
import { type LastEvent, type Outcome, outcomeOf } from './outcomeOf';
import { type CallOutput, type CallStep, toEventOutput, toStep } from './step';
import { askByResult } from './suspendCall';
import { advanceTurn, openQuestions } from './turn';
import { withdrawn } from './withdrawn';

/** The step for an event. Events of calls that are unknown or over change nothing. */
export const receiveEvent = <C>(state: Calls<C>, event: Event): CallStep<C> => {
  const entry = callOf(state, event.callId);
  switch (entry?.phase) {
    case 'running':
      return whileRunning(state, entry, event);
    case 'awaitingInput':
      return whileAwaitingInput(state, entry, event);
    case 'cancelled':
      return whileCancelled(state, entry, event);
    default:
      return toStep(state);
  }
};

/** A delta changes nothing in the state, so it passes without a copy of anything. */
const whileRunning = <C>(state: Calls<C>, entry: Running<C>, event: Event): CallStep<C> => {
  const { call } = entry;
  const turn = advanceTurn(entry.turn, event);
  const next = turn === entry.turn ? entry : { ...entry, turn };
  if (event.kind === 'declined') {
    const closed = [...entry.turn.questions.keys()].filter((question) => !turn.questions.has(question));
    return toStep(putCall(state, next), withdrawn(call, closed, event.reason ?? 'it was declined'));
  }
  const kept = next === entry ? state : putCall(state, next);
  if (event.kind === 'deltas') return toStep(kept, [{ kind: 'deltas', call, event }]);
  if (event.kind === 'sampling') return toStep(kept, [{ kind: 'sampling', call, event }]);
  if (event.kind !== 'event' || isLast(event)) return finish(state, next, event);
  if (isQuestion(event)) return ask(state, next, event);
  return toStep(kept, [toEventOutput(call, event, 'live')]);
};

type Question = CodexEvent & { question: number };

const isQuestion = (event: CodexEvent): event is Question => event.question !== undefined;

const ask = <C>(state: Calls<C>, entry: Running<C>, event: Question): CallStep<C> => {
  const { call } = entry;
  if (call.asksBy === 'result') return askByResult(state, entry, event);
  const live = toEventOutput(call, event, 'live');
  return toStep(putCall(state, entry), [live, { kind: 'question', call, question: event.question, event }]);
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

/** No request waits: the event is buffered. */
const whileAwaitingInput = <C>(state: Calls<C>, entry: AwaitingInput<C>, event: Event): CallStep<C> => {
  const { call, order } = entry;
  const turn = advanceTurn(entry.turn, event);
  const buffered = bufferEvent(entry.buffered, event);
  const output = toMissed(call, event);
  if (isLast(event)) {
    const finished = {
      phase: 'finished',
      call,
      order,
      buffered,
      outcome: outcomeOf(turn, event as LastEvent),
    } as const;
    return toStep(keepUnclaimed(state, finished), output);
  }
  const isSame = turn === entry.turn && buffered === entry.buffered;
  const step = toStep(isSame ? state : putCall(state, { ...entry, turn, buffered }), output);
  if (event.kind !== 'event' || !isQuestion(event)) return step;
  return { ...step, ops: hurryQuestion(state, { order, threadId: event.threadId, question: event.question }) };
};

/** The last event of a cancelled call ends it in silence. */
const whileCancelled = <C>(state: Calls<C>, { call }: Cancelled<C>, event: Event): CallStep<C> =>
  toStep(isLast(event) ? dropCall(state, call.callId) : state, toMissed(call, event));

/** What only listeners of the thread are sent. */
const toMissed = <C>(call: Call<C>, event: Event): CallOutput<C>[] => {
  if (event.kind === 'deltas') return [{ kind: 'deltas', call, event, isMissed: true }];
  return event.kind === 'event' ? [toEventOutput(call, event, 'missed')] : [];
};

/**
 * The buffer with this event at its end. Deltas are left out: a later event holds their whole, and they would be too much to
 * keep. What is not an event of the turn is left out too. Returns the same buffer when it keeps nothing.
 */
export const bufferEvent = (buffered: readonly CodexEvent[], event: Event): readonly CodexEvent[] =>
  event.kind === 'event' && !event.msg.type.endsWith('_delta') ? [...buffered, event] : buffered;
