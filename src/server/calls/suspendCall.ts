/** Answering the waiting request with questions. */
import type { AwaitingInput, Calls, Running } from './call';
import { putCall } from './openCalls';
import { type CallOutput, type CallStep, toStep } from './step';

/** The step after which no request waits for the call until its questions are answered; `before` is emitted first. */
export const suspendCall = <C>(
  state: Calls<C>,
  { call, order, turn }: Running<C> | AwaitingInput<C>,
  before: readonly CallOutput<C>[],
): CallStep<C> =>
  toStep(putCall(state, { phase: 'awaitingInput', call, order, turn, buffered: [] }), [
    ...before,
    { kind: 'suspended', call, questions: turn.questions },
  ]);
