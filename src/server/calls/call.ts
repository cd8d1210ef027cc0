/** A call of an agent: the request that waits for it, and its phases. */
import type { CodexEvent } from '../../protocol/codex/events';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { Outcome } from './outcomeOf';
import type { PersistentMap } from './persistentMap';
import type { Turn } from './turn';

/**
 * A call and the request that waits for it.
 * `callId` is unique. `requestId` is that of the waiting request, which a client may use for two at a time.
 * `asksBy` is how a question reaches the client: as a request of its own, or as the result of the waiting request, which the
 * client then retries; `cannotAsk` is why the client of the waiting request cannot be asked that way, if it cannot.
 * `caller` is what the protocol face keeps of that request; this room only returns it.
 */
export type Call<C> = {
  callId: string;
  requestId: RequestId;
  asksBy: 'request' | 'result';
  cannotAsk?: string;
  caller: C;
};

/** `order` counts the calls as they were begun. */
type Entry<P, C> = { phase: P; call: Call<C>; order: number };

/** A request waits; its client receives each event at once. */
export type Running<C> = Entry<'running', C> & { turn: Turn };

/** No request waits: it was answered with the open questions. `buffered` are the events since then, for the retry. */
export type AwaitingInput<C> = Entry<'awaitingInput', C> & { turn: Turn; buffered: readonly CodexEvent[] };

/** The caller has cancelled its request; the engine has not ended the turn yet. */
export type Cancelled<C> = Entry<'cancelled', C>;

/** The turn ended while no request waited; the outcome is kept for the retry. */
export type Finished<C> = Entry<'finished', C> & { buffered: readonly CodexEvent[]; outcome: Outcome };

/** A call at one moment; each phase has only fields of its own. */
export type CallState<C> = Running<C> | AwaitingInput<C> | Cancelled<C> | Finished<C>;

/**
 * All open calls of a connection, by callId. `begun` is how many there were; `newest` is the thread of the last one, once it is
 * known; `unclaimed` are the finished ones without a retry, oldest first. `ended` is set at the end of the connection.
 */
export type Calls<C> = {
  open: PersistentMap<CallState<C>>;
  begun: number;
  newest?: string;
  unclaimed: readonly string[];
  ended: boolean;
};
