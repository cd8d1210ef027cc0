/** A request that its client cancels. */
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { CallState, Calls, Running } from './call';
import { callsInOrder, putCall } from './openCalls';
import { type CallStep, toStep } from './step';
import { openQuestions } from './turn';
import { withdrawn } from './withdrawn';

/**
 * The step that cancels all calls for which a request waits: their turns are interrupted, and the request gets no response. A request that was
 * answered with questions is over, so cancelling it changes nothing. Source: 2026-07-28 basic/patterns/cancellation "Error Handling".
 */
export const cancelCalls = <C>(state: Calls<C>, requestId: RequestId): CallStep<C> =>
  callsInOrder(state)
    .filter(isRunning)
    .filter(({ call }) => call.requestId === requestId)
    .reduce<CallStep<C>>((step, entry) => after(step, cancelCall(step.state, entry)), toStep(state));

const isRunning = <C>(entry: CallState<C>): entry is Running<C> => entry.phase === 'running';

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
