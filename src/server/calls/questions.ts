/**
 * The questions of calls whose client is asked by the result of its request. The request is answered with the open questions; the client
 * sends the same call again, with the answers. Meanwhile the turn waits, and its events are buffered.
 */
import type { ReviewResult } from '../../protocol/codex/engine';
import type { CodexEvent } from '../../protocol/codex/events';
import { unaskable } from './askCaller';
import {
  type AwaitingInput,
  type Call,
  type Calls,
  callOf,
  callsInOrder,
  dropCall,
  type Finished,
  putCall,
  type Running,
} from './calls';
import {
  type CallInput,
  type CallOutput,
  type CallStep,
  type EngineInput,
  toEventOutput,
  toStep,
  type Wait,
} from './step';
import { closeQuestions, type Turn } from './turn';

/**
 * How often the request of one call may be answered with questions. Source: the SDKs for TypeScript 2.4.0 and Python 2.3.0, Claude Code 2.1.332,
 * `@ai-sdk/mcp` 2.0.99: after ten rounds they give the call up with an error, while its turn waits.
 */
const MAX_ROUNDS = 10;

const ASKED_ENOUGH: ReviewResult = {
  decision: 'denied',
  reason: `the client was asked ${MAX_ROUNDS} times in this call, as often as clients answer; go on with codex-reply`,
};

const isAskedEnough = ({ rounds = 0 }: Turn): boolean => rounds >= MAX_ROUNDS;

const denyUnasked = (question: number): EngineInput => toVerdict(question, ASKED_ENOUGH);

const toVerdict = (question: number, verdict: ReviewResult): EngineInput => ({ kind: 'verdict', question, verdict });

/** The step in which a running call asks by its result. A question that the client cannot be asked, or would not answer, is denied. */
export const askByResult = <C>(state: Calls<C>, entry: Running<C>, event: Question): CallStep<C> => {
  const { call, turn } = entry;
  const live = toEventOutput(call, event, 'live');
  const isUnaskable = call.cannotAsk !== undefined;
  if (!isUnaskable && !isAskedEnough(turn)) return suspendCall(state, entry, [live]);
  const denied = isUnaskable ? toVerdict(event.question, unaskable(call.cannotAsk)) : denyUnasked(event.question);
  return { ...toStep(putCall(state, entry), [live]), ops: [denied] };
};

/** The step after which no request waits for the call until its questions are answered; `before` is emitted first. */
const suspendCall = <C>(
  state: Calls<C>,
  { call, order, turn }: Running<C> | AwaitingInput<C>,
  before: readonly CallOutput<C>[],
): CallStep<C> => {
  const asked = { ...turn, rounds: (turn.rounds ?? 0) + 1 };
  return toStep(putCall(state, { phase: 'awaitingInput', call, order, turn: asked, buffered: [] }), [
    ...before,
    { kind: 'suspended', call, questions: turn.questions },
  ]);
};

type Resume<C> = Extract<CallInput<C>, { kind: 'resume' }>;

/**
 * The step of a request that resumes a call. The request first receives the buffered events. Then it waits if the call runs on, receives the
 * outcome if the call has finished, or the questions that are still open. These are denied if the client was asked often enough. A request
 * whose client cannot be asked must answer all questions; otherwise it is rejected, and they stay open. While another request waits for the
 * call, it is rejected as busy.
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
  const output = attached(call, buffered, turn);
  const isOver = call.asksBy === 'result' && isAskedEnough(turn);
  const ops = [
    ...given.map(([question, verdict]) => toVerdict(question, verdict)),
    ...[...turn.questions.keys()].map((question) => (isOver ? denyUnasked(question) : waitAgain(entry, question))),
  ];
  const step =
    call.asksBy === 'result' && turn.questions.size > 0 && !isOver
      ? suspendCall(state, { ...entry, turn }, output)
      : toStep(putCall(state, { phase: 'running', call, order, turn }), output);
  return { ...step, ops };
};

/** A client that is asked by requests has the question already, unless it came up while no request waited. */
const waitAgain = <C>({ call, buffered }: AwaitingInput<C>, question: number): Wait =>
  toWait(
    question,
    call.asksBy === 'request' && !buffered.some((event) => event.question === question) ? 'back' : 'long',
  );

const claim = <C>(state: Calls<C>, { call, buffered, outcome }: Finished<C>): CallStep<C> =>
  toStep(dropCall(state, call.callId), [...attached(call, buffered), { kind: 'finished', call, outcome }]);

/** What a request gets of a call that it resumes. A client that is asked by requests is asked now what came up while no request waited. */
const attached = <C>(call: Call<C>, buffered: AwaitingInput<C>['buffered'], turn?: Turn): CallOutput<C>[] => [
  { kind: 'resumed', call },
  ...buffered.flatMap((event): CallOutput<C>[] => {
    const shown = toEventOutput(call, event, 'replayed');
    const isOpen = call.asksBy === 'request' && isQuestion(event) && turn?.questions.has(event.question);
    return isOpen ? [shown, { kind: 'question', call, question: event.question, event }] : [shown];
  }),
];

/** An event that asks. */
export type Question = CodexEvent & { question: number };

/** True for an event that asks. */
export const isQuestion = (event: CodexEvent): event is Question => event.question !== undefined;

/** Shortens the wait of questions whose client is away, when a new call waits for their thread. */
export const hurryQuestions = <C>(state: Calls<C>, threadId: string | undefined): Wait[] =>
  threadId === undefined
    ? []
    : callsInOrder(state).flatMap((entry) =>
        entry.phase === 'awaitingInput' && entry.turn.threadId === threadId
          ? [...entry.turn.questions.keys()].map((question) => toWait(question, 'short'))
          : [],
      );

/** Shortens the wait of a new question whose client is away, if a later call waits for the thread. */
export const hurryQuestion = <C>(
  state: Calls<C>,
  { order, threadId, question }: { order: number; threadId: string; question: number },
): Wait[] => {
  const isWaitedFor = callsInOrder(state).some(
    (entry) => entry.phase === 'running' && entry.order > order && entry.turn.threadId === threadId,
  );
  return isWaitedFor ? [toWait(question, 'short')] : [];
};

const toWait = (question: number, limit: Wait['limit']): Wait => ({ kind: 'wait', question, limit });
