/** The calls of a connection: their phases, and how one is found, changed and dropped. */
import type { CodexEvent } from '../../protocol/codex/events';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { emptyMap, getValue, type PersistentMap, valuesOf, withoutKey, withValue } from './persistentMap';
import { newTurn, type Outcome, type Turn } from './turn';

/** A call and the request that waits for it. */
export type Call<C> = {
  /** Unique. */
  callId: string;
  /** Id of the waiting request. A client may use one id for two requests at a time. */
  requestId: RequestId;
  /** How a question reaches the client: as a request, as the result of the waiting request, or as a part of a task. */
  asksBy: 'request' | 'result' | 'task';
  /** True once the request was answered with a task: the call goes on, and no request waits. */
  isDetached?: true;
  /** Why the client of the waiting request cannot be asked by its result; absent if it can. */
  cannotAsk?: string;
  /** What the protocol face keeps of the waiting request; only returned here. */
  caller: C;
};

type Entry<P, C> = {
  phase: P;
  call: Call<C>;
  /** Number of the call on its connection, from 0. */
  order: number;
};

/** A request waits; its client receives each event at once. */
export type Running<C> = Entry<'running', C> & { turn: Turn };

/** No request waits: it was answered with the open questions, or that the call works on. */
export type AwaitingInput<C> = Entry<'awaitingInput', C> & {
  turn: Turn;
  /** Events since then, for the retry. */
  buffered: readonly CodexEvent[];
};

/** The caller has cancelled its request; the engine has not ended the turn yet. */
export type Cancelled<C> = Entry<'cancelled', C>;

/** The turn ended while no request waited; the outcome is kept for the retry. */
export type Finished<C> = Entry<'finished', C> & { buffered: readonly CodexEvent[]; outcome: Outcome };

/** A call at one moment. */
export type CallState<C> = Running<C> | AwaitingInput<C> | Cancelled<C> | Finished<C>;

/** All calls of a connection. */
export type Calls<C> = {
  /** The open calls, by callId. */
  open: PersistentMap<CallState<C>>;
  /** How many calls were begun. */
  begun: number;
  /** Thread of the last call, once it is known. */
  newest?: string;
  /** Ids of the finished calls that wait for a retry, oldest first. */
  unclaimed: readonly string[];
  /** True from the end of the connection on. */
  ended: boolean;
};

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

/** The open calls, in the order of their begin. */
export const callsInOrder = <C>(state: Calls<C>): CallState<C>[] =>
  valuesOf(state.open).sort((a, b) => a.order - b.order);

/** The state with this call; it replaces the earlier state of the call. */
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

/** Keeps a result that no request waits for. If there are too many, the oldest is dropped. */
export const keepUnclaimed = <C>(state: Calls<C>, entry: Finished<C>): Calls<C> => {
  const kept = putCall({ ...state, unclaimed: [...state.unclaimed, entry.call.callId] }, entry);
  const [oldest] = kept.unclaimed;
  return oldest !== undefined && kept.unclaimed.length > MAX_UNCLAIMED ? dropCall(kept, oldest) : kept;
};
