/** Calls for which no request waits: a request was answered before its call was done, and a later request waits for the rest. */
import { type CodexEvent, type Event, isLast } from '../../protocol/codex/events';
import { toUuid } from '../../protocol/codex/toUuid';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { clipName } from '../../protocol/rpc/failureOutcome';
import {
  type AwaitingInput,
  type Call,
  type CallState,
  type Calls,
  callsInOrder,
  keepUnclaimed,
  putCall,
  type Running,
} from './calls';
import { hurryQuestion, isQuestion, resumeCall } from './questions';
import {
  type CallInput,
  type CallOutput,
  type CallStep,
  type Delivery,
  toEventOutput,
  toStep,
  withdrawn,
} from './step';
import { advanceTurn, type LastEvent, openQuestions, outcomeOf, type Turn } from './turn';

/**
 * The step in which the waiting request of a call is answered, while the call works on. A call that may be a task is left alone. Without a thread there is
 * nothing to wait for later, so a call whose thread is not known yet is answered as soon as it is. What the client was asked by a request stays open.
 */
export const pauseCall = <C>(state: Calls<C>, requestId: RequestId): CallStep<C> => {
  const entry = callsInOrder(state).find(
    (one): one is Running<C> =>
      one.phase === 'running' && one.call.requestId === requestId && one.call.asksBy !== 'task',
  );
  if (entry === undefined) return toStep(state);
  const { call, order } = entry;
  if (entry.turn.threadId === undefined)
    return toStep(putCall(state, { ...entry, turn: { ...entry.turn, isDue: true } }));
  const { isDue: _, ...turn } = entry.turn;
  return toStep(putCall(state, { phase: 'awaitingInput', call, order, turn, buffered: [] }), [
    { kind: 'paused', call, turn },
  ]);
};

const NOBODY_WORKS =
  'no call works on it, or its result was given already. Go on with the tool codex-reply, or start a thread with the tool codex.';
const IS_WAITED_FOR = 'another request waits for its call, or a task has it, and gets the result.';

/** The step of a request that waits for the call on a thread: the oldest call there for which no request waits. */
export const waitForCall = <C>(
  state: Calls<C>,
  { threadId, call }: Extract<CallInput<C>, { kind: 'wait' }>,
): CallStep<C> => {
  const onThread = callsInOrder(state).filter((entry) => threadOf(entry) === toUuid(threadId));
  const entry = onThread.find(({ phase }) => phase === 'awaitingInput' || phase === 'finished');
  if (entry !== undefined) {
    const own = { ...call, callId: entry.call.callId };
    return resumeCall(withoutRounds(state, entry), { kind: 'resume', call: own, verdicts: new Map() });
  }
  const isWaitedFor = onThread.some(({ phase }) => phase === 'running');
  const message = `There is nothing to wait for on the thread ${clipName(threadId)}: ${isWaitedFor ? IS_WAITED_FOR : NOBODY_WORKS}`;
  return toStep(state, [{ kind: 'finished', call, outcome: { kind: 'rejected', message } }]);
};

/** Clients count how often a request was answered with questions; a new request begins again. */
const withoutRounds = <C>(state: Calls<C>, entry: CallState<C>): Calls<C> =>
  entry.phase === 'awaitingInput' ? putCall(state, { ...entry, turn: { ...entry.turn, rounds: 0 } }) : state;

const threadOf = <C>(entry: CallState<C>): string | undefined => {
  if ('turn' in entry) return entry.turn.threadId;
  return entry.phase === 'finished' && 'threadId' in entry.outcome ? entry.outcome.threadId : undefined;
};

/** The step of an event of a call for which no request waits. Its outcome is kept for the request that comes. */
export const whileAwaitingInput = <C>(state: Calls<C>, entry: AwaitingInput<C>, event: Event): CallStep<C> => {
  const { call, order } = entry;
  const turn = advanceTurn(entry.turn, event);
  const buffered = bufferEvent(entry.buffered, event);
  const output = [...toUnsent(call, event, 'later'), ...withdrawnBy(entry, turn, event)];
  if (isLast(event)) {
    const outcome = outcomeOf(turn, event as LastEvent);
    return toStep(keepUnclaimed(state, { phase: 'finished', call, order, buffered, outcome }), output);
  }
  const isSame = turn === entry.turn && buffered === entry.buffered;
  const step = toStep(isSame ? state : putCall(state, { ...entry, turn, buffered }), output);
  if (event.kind !== 'event' || !isQuestion(event)) return step;
  return { ...step, ops: hurryQuestion(state, { order, threadId: event.threadId, question: event.question }) };
};

/** What the client was asked by a request, and needs no answer after this event. */
const withdrawnBy = <C>({ call, buffered, turn }: AwaitingInput<C>, next: Turn, event: Event): CallOutput<C>[] => {
  if (call.asksBy === 'result') return [];
  const left = isLast(event) ? [] : openQuestions(next);
  const isAsked = (question: number) => !buffered.some((one) => one.question === question);
  const over = openQuestions(turn).filter((question) => isAsked(question) && !left.includes(question));
  const reason = event.kind === 'declined' ? (event.reason ?? 'it was declined') : 'the call is over';
  return withdrawn(call, over, reason);
};

/** Output for listeners of the thread; and the question to the model of the client, which no request has to wait for. */
export const toUnsent = <C>(call: Call<C>, event: Event, delivery: Delivery): CallOutput<C>[] => {
  if (event.kind === 'deltas') return [{ kind: 'deltas', call, event, isMissed: true }];
  if (event.kind === 'sampling' && delivery === 'later') return [{ kind: 'sampling', call, event }];
  return event.kind === 'event' ? [toEventOutput(call, event, delivery)] : [];
};

/** The buffer with this event at its end. Deltas are left out, as a later event holds the whole text. The same buffer if nothing is added. */
const bufferEvent = (buffered: readonly CodexEvent[], event: Event): readonly CodexEvent[] =>
  event.kind === 'event' && !event.msg.type.endsWith('_delta') ? [...buffered, event] : buffered;
