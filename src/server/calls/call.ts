/** A call of an agent, who waits for it, and the phases it goes through. */
import type { CodexEvent } from '../../protocol/codex';
import type { RequestId } from '../../protocol/jsonrpc';
import type { Outcome } from './outcomeOf';
import type { PersistentMap } from './persistentMap';
import type { Turn } from './turn';

/**
 * A call and the request that waits for it now.
 * `callId` is unique. `requestId` is that of the waiting request, which a client may use for two at a time.
 * `asksBy` is the way a question takes: a request of its own, or the result of the waiting request, after which the caller
 * comes back with another. `caller` is what the protocol face knows of that request; this room only hands it back.
 */
export type Call<C> = { callId: string; requestId: RequestId; asksBy: 'request' | 'result'; caller: C };

/** `order` counts the calls as they were begun. */
type Entry<P, C> = { phase: P; call: Call<C>; order: number };

/** A request waits, and gets each event as it comes. */
export type Running<C> = Entry<'running', C> & { turn: Turn };

/** Nobody waits: the request was answered with the open questions. `buffered` are the events since, for the next one. */
export type AwaitingInput<C> = Entry<'awaitingInput', C> & { turn: Turn; buffered: readonly CodexEvent[] };

/** The caller has cancelled its request; the engine has not ended the turn yet. */
export type Cancelled<C> = Entry<'cancelled', C>;

/** The turn ended while nobody waited; what it came to is kept for the caller that comes back. */
export type Finished<C> = Entry<'finished', C> & { buffered: readonly CodexEvent[]; outcome: Outcome };

export type CallState<C> = Running<C> | AwaitingInput<C> | Cancelled<C> | Finished<C>;

/**
 * All open calls of a connection, by callId. `begun` is how many there were; `unclaimed` are the finished ones nobody came
 * back for, oldest first. `ended` is set with the end of the connection.
 */
export type Calls<C> = {
  open: PersistentMap<CallState<C>>;
  begun: number;
  unclaimed: readonly string[];
  ended: boolean;
};
