/** Answering the waiting request with questions. */

import type { ReviewResult } from '../../protocol/codex/approval';
import type { CodexEvent } from '../../protocol/codex/events';
import { unaskable } from './askCaller';
import type { AwaitingInput, Calls, Running } from './call';
import { putCall } from './openCalls';
import { type CallOutput, type CallStep, type EngineInput, toEventOutput, toStep } from './step';
import type { Turn } from './turn';

/**
 * How often the request of one call may be answered with questions. Source: the SDKs for TypeScript 2.4.0 and Python 2.3.0, Claude Code 2.1.332,
 * `@ai-sdk/mcp` 2.0.99: after ten rounds they give the call up with an error, while its turn waits.
 */
const MAX_ROUNDS = 10;

const ASKED_ENOUGH: ReviewResult = {
  decision: 'denied',
  reason: `the client was asked ${MAX_ROUNDS} times in this call, as often as clients answer; go on with codex-reply`,
};

/** Whether the client of a call would not answer another question. */
export const isAskedEnough = ({ rounds = 0 }: Turn): boolean => rounds >= MAX_ROUNDS;

/** Denies a question that the client would not answer. */
export const denyUnasked = (question: number): EngineInput => toVerdict(question, ASKED_ENOUGH);

const toVerdict = (question: number, verdict: ReviewResult): EngineInput => ({ kind: 'verdict', question, verdict });

/** The step in which a call that runs asks by its result: a question that its client cannot be asked, or would not answer, is denied. */
export const askByResult = <C>(
  state: Calls<C>,
  entry: Running<C>,
  event: CodexEvent & { question: number },
): CallStep<C> => {
  const { call, turn } = entry;
  const live = toEventOutput(call, event, 'live');
  const isUnaskable = call.cannotAsk !== undefined;
  if (!isUnaskable && !isAskedEnough(turn)) return suspendCall(state, entry, [live]);
  const denied = isUnaskable ? toVerdict(event.question, unaskable(call.cannotAsk)) : denyUnasked(event.question);
  return { ...toStep(putCall(state, entry), [live]), ops: [denied] };
};

/** The step after which no request waits for the call until its questions are answered; `before` is emitted first. */
export const suspendCall = <C>(
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
