/** The open calls of a connection: finding, changing and dropping one. */

import type { CodexEvent } from '../../protocol/codex/events';
import type { CallState, Calls, Finished } from './call';
import { emptyMap, getValue, valuesOf, withoutKey, withValue } from './persistentMap';
import { newTurn, type Turn } from './turn';

/** How many results are kept for a retry. */
const MAX_UNCLAIMED = 100;

/** The state of a new connection. */
export const noCalls = <C>(): Calls<C> => ({ open: emptyMap(), begun: 0, unclaimed: [], ended: false });

/** The call of this id, if it is open. */
export const callOf = <C>(state: Calls<C>, callId: string): CallState<C> | undefined => getValue(state.open, callId);

/** The open questions of a call, by id. */
export const questionsOf = <C>(state: Calls<C>, callId: string): Turn['questions'] =>
  turnOf(callOf(state, callId)).questions;

/** The event that asked this open question of some call; undefined if there is none, as for a request for a sampling. */
export const askedBy = <C>(state: Calls<C>, question: number): CodexEvent | undefined =>
  valuesOf(state.open)
    .map((entry) => turnOf(entry).questions.get(question))
    .find((event) => event !== undefined);

const turnOf = <C>(entry: CallState<C> | undefined): Turn => (entry && 'turn' in entry ? entry.turn : newTurn);

/** The open calls, in the order in which they were begun. */
export const callsInOrder = <C>(state: Calls<C>): CallState<C>[] =>
  valuesOf(state.open).sort((a, b) => a.order - b.order);

/** The state with this call, in the place of an earlier one of its id. */
export const putCall = <C>(state: Calls<C>, entry: CallState<C>): Calls<C> => ({
  ...state,
  newest: 'turn' in entry && entry.order === state.begun - 1 ? entry.turn.threadId : state.newest,
  open: withValue(state.open, entry.call.callId, entry),
});

/** The state without this call. */
export const dropCall = <C>(state: Calls<C>, callId: string): Calls<C> => ({
  ...state,
  open: withoutKey(state.open, callId),
  unclaimed: state.unclaimed.includes(callId) ? state.unclaimed.filter((id) => id !== callId) : state.unclaimed,
});

/** Keeps a result that no request waits for; the oldest one is dropped when there are too many. */
export const keepUnclaimed = <C>(state: Calls<C>, entry: Finished<C>): Calls<C> => {
  const kept = putCall({ ...state, unclaimed: [...state.unclaimed, entry.call.callId] }, entry);
  const [oldest] = kept.unclaimed;
  return oldest !== undefined && kept.unclaimed.length > MAX_UNCLAIMED ? dropCall(kept, oldest) : kept;
};
