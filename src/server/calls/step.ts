/** What goes into the state of calls, and what comes out of one step of it. */

import type { ReviewResult } from '../../protocol/codex/approval';
import type { CodexEvent, DeltaEvents, Event, Sampling } from '../../protocol/codex/events';
import type { InterruptThreadOp, Op, ThreadOp } from '../../protocol/codex/operations';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { Call, Calls } from './call';
import type { Outcome } from './outcomeOf';

/** The operation of a call: any but the one that cancels another call. */
export type CallOp = ThreadOp | InterruptThreadOp;

/**
 * An event of the engine, or what a protocol face reads from its client: `begin` a call; `resume` one that awaits input, by
 * another request; `answered` a question; `cancel` all calls of a request; `end` the connection, and why.
 */
export type CallInput<C> =
  | Event
  | { kind: 'begin'; call: Call<C>; op: CallOp }
  | { kind: 'resume'; call: Call<C>; verdicts: ReadonlyMap<number, ReviewResult> }
  | { kind: 'answered'; question: number; verdict: ReviewResult }
  | { kind: 'cancel'; requestId: RequestId }
  | { kind: 'end'; cause: string };

/**
 * How an event reaches the caller: `live` at once; `replayed` after it was buffered until a request came; `missed` not at all,
 * or not yet. A listener of the thread that is not the caller needs all that are not `replayed`.
 */
export type Delivery = 'live' | 'replayed' | 'missed';

/**
 * What a protocol face turns into messages. `begun`, `resumed`: a request waits for the call from now on. `event`: one of its events;
 * `isFailure`: the last one, of a turn that failed. `deltas`: events that arrived together; `isMissed`: no request waits for them.
 * `question`: the client is asked, under this id; `sampling`: its model is. `withdrawn`: questions that need no answer any more, and why.
 * After each of the others the request no longer waits: `suspended` is answered with the open questions, `cancelled` not at all, `finished`
 * with the outcome, `rejected` with an error, because the call that it names is unknown, has another request that waits, or asks what
 * the client of the request cannot be asked.
 */
export type CallOutput<C> =
  | { kind: 'begun'; call: Call<C>; op: CallOp }
  | { kind: 'resumed'; call: Call<C> }
  | { kind: 'event'; call: Call<C>; event: CodexEvent; delivery: Delivery; isFailure?: true }
  | { kind: 'deltas'; call: Call<C>; event: DeltaEvents; isMissed?: true }
  | { kind: 'question'; call: Call<C>; question: number; event: CodexEvent }
  | { kind: 'sampling'; call: Call<C>; event: Sampling }
  | { kind: 'withdrawn'; call: Call<C>; questions: readonly number[]; reason: string }
  | { kind: 'suspended'; call: Call<C>; questions: ReadonlyMap<number, CodexEvent> }
  | { kind: 'cancelled'; call: Call<C> }
  | { kind: 'finished'; call: Call<C>; outcome: Outcome }
  | { kind: 'rejected'; call: Call<C>; reason: 'unknown' | 'busy' | 'unaskable' };

/** The answer that a question of the engine waits for. */
type Verdict = { kind: 'verdict'; question: number; verdict: ReviewResult };

/**
 * The time of an open question begins anew. `long`: its client has shown up; `short`: it has not, and another call waits for
 * the thread.
 */
export type Wait = { kind: 'wait'; question: number; limit: 'long' | 'short' };

/** What the engine is given: operations, the verdicts that its questions wait for, and how long they wait. */
export type EngineInput = Op | Verdict | Wait;

/** One step of the reducer. `output` leaves before the engine gets `ops`. */
export type CallStep<C> = { state: Calls<C>; output: readonly CallOutput<C>[]; ops: readonly EngineInput[] };

const NONE: readonly never[] = [];

/** A step without operations for the engine. */
export const toStep = <C>(state: Calls<C>, output: readonly CallOutput<C>[] = NONE): CallStep<C> => ({
  state,
  output,
  ops: NONE,
});

/** An event as output. */
export const toEventOutput = <C>(call: Call<C>, event: CodexEvent, delivery: Delivery): CallOutput<C> => ({
  kind: 'event',
  call,
  event,
  delivery,
});
