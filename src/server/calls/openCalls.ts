/** The open calls of a connection: finding, changing and forgetting one. */
import type { CallState, Calls, Finished } from './call';
import { emptyMap, getValue, valuesOf, withoutKey, withValue } from './persistentMap';

/** So many results are kept for callers that may come back. */
const MAX_UNCLAIMED = 100;

/** The state of a new connection. */
export const noCalls = <C>(): Calls<C> => ({ open: emptyMap(), begun: 0, unclaimed: [], ended: false });

/** The call of this id, if it is open. */
export const callOf = <C>(state: Calls<C>, callId: string): CallState<C> | undefined => getValue(state.open, callId);

/** Those that are open, in the order they were begun. */
export const callsInOrder = <C>(state: Calls<C>): CallState<C>[] =>
  valuesOf(state.open).sort((a, b) => a.order - b.order);

/** With this call in the place of what was known of it. */
export const putCall = <C>(state: Calls<C>, entry: CallState<C>): Calls<C> => ({
  ...state,
  open: withValue(state.open, entry.call.callId, entry),
});

/** Without this call. */
export const dropCall = <C>(state: Calls<C>, callId: string): Calls<C> => ({
  ...state,
  open: withoutKey(state.open, callId),
  unclaimed: state.unclaimed.includes(callId) ? state.unclaimed.filter((id) => id !== callId) : state.unclaimed,
});

/** Keeps a result that nobody waits for; the oldest one is forgotten when there are too many. */
export const keepUnclaimed = <C>(state: Calls<C>, entry: Finished<C>): Calls<C> => {
  const kept = putCall({ ...state, unclaimed: [...state.unclaimed, entry.call.callId] }, entry);
  const [oldest] = kept.unclaimed;
  return oldest !== undefined && kept.unclaimed.length > MAX_UNCLAIMED ? dropCall(kept, oldest) : kept;
};
