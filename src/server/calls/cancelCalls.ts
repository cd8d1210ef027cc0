/** A request that its client cancels. */
import type { RequestId } from '../../protocol/jsonrpc';
import type { CallState, Calls } from './call';
import { callsInOrder, dropCall, putCall } from './openCalls';
import { type CallStep, toStep } from './step';
import { openQuestions } from './turn';
import { withdrawn } from './withdrawn';

/**
 * The step that cancels all calls of a request: their turns are interrupted. A request that waits gets no response; one that
 * was answered with questions has had its response.
 */
export const cancelCalls = <C>(state: Calls<C>, requestId: RequestId): CallStep<C> =>
  callsInOrder(state)
    .filter(({ call }) => call.requestId === requestId)
    .reduce<CallStep<C>>((step, entry) => after(step, cancelCall(step.state, entry)), toStep(state));

const after = <C>(first: CallStep<C>, second: CallStep<C>): CallStep<C> => ({
  state: second.state,
  output: [...first.output, ...second.output],
  ops: [...first.ops, ...second.ops],
});

const cancelCall = <C>(state: Calls<C>, entry: CallState<C>): CallStep<C> => {
  const { phase, call, order } = entry;
  if (phase === 'cancelled') return toStep(state);
  if (phase === 'finished') return toStep(dropCall(state, call.callId));
  const output =
    phase === 'running'
      ? [...withdrawn(call, openQuestions(entry.turn), 'the call was cancelled'), { kind: 'cancelled', call } as const]
      : [];
  return {
    state: putCall(state, { phase: 'cancelled', call, order }),
    output,
    ops: [{ kind: 'interrupt', callId: call.callId }],
  };
};
