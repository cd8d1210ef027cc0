/** A request that resumes a call, with answers to the questions of an earlier one. */
import type { ReviewResult } from '../../protocol/codex/approval';
import type { AwaitingInput, Call, Calls, Finished } from './call';
import { callOf, dropCall, putCall } from './openCalls';
import { type CallInput, type CallOutput, type CallStep, type EngineInput, toEventOutput, toStep } from './step';
import { denyUnasked, isAskedEnough, suspendCall } from './suspendCall';
import { closeQuestions } from './turn';

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
