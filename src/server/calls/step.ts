/** What goes into the state of calls, and what comes out of one step of it. */
import type { ReviewResult } from '../../protocol/codex/engine';
import type { CodexEvent, DeltaEvents, Event, FileEvent, Sampling, TerminalEvent } from '../../protocol/codex/events';
import type { InterruptThreadOp, Op, ThreadOp } from '../../protocol/codex/operations';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import type { Call, Calls } from './calls';
import type { Outcome, Turn } from './turn';

/** The operation of a call: any but a cancel of another call. */
type CallOp = ThreadOp | InterruptThreadOp;

/** An event of the engine, or what a protocol face reads from its client. */
export type CallInput<C> =
  | Event
  /** `beganMs`: when, by the clock of the protocol face. */
  | { kind: 'begin'; call: Call<C>; op: CallOp; beganMs?: number }
  /** Another request for a call that awaits input, with answers by question. */
  | { kind: 'resume'; call: Call<C>; verdicts: ReadonlyMap<number, ReviewResult> }
  /** The response to a question that was a request. */
  | { kind: 'answered'; question: number; verdict: ReviewResult }
  /** Cancels all calls that this request waits for. */
  | { kind: 'cancel'; requestId: RequestId }
  /** The request of the call was answered with a task; the call goes on. */
  | { kind: 'detach'; callId: string }
  /** This request has waited long enough: it is answered that its call works on. */
  | { kind: 'pause'; requestId: RequestId }
  /** Another request, for what becomes of the call that works on this thread. */
  | { kind: 'wait'; threadId: string; call: Call<C> }
  /** Cancels one call, whether a request waits for it or not. */
  | { kind: 'stop'; callId: string }
  /** The client is gone: calls whose request waits are stopped for this reason, the others go on. */
  | { kind: 'leave'; cause: string }
  /** The connection ends, for this reason. */
  | { kind: 'end'; cause: string };

/** How an event reaches the caller: `live`; `later`: buffered until a request comes; `replayed` after that; `missed` not at all. */
export type Delivery = 'live' | 'later' | 'replayed' | 'missed';

/** What a protocol face turns into messages. */
export type CallOutput<C> =
  /** A request waits for the call from now on. */
  | { kind: 'begun'; call: Call<C>; op: CallOp }
  /** A request waits for the call again. */
  | { kind: 'resumed'; call: Call<C> }
  /** An event of the call; `isFailure`: the last event of a failed turn. */
  | { kind: 'event'; call: Call<C>; event: CodexEvent; delivery: Delivery; isFailure?: true }
  /** Events that arrived together; `isMissed`: no request waits for them. */
  | { kind: 'deltas'; call: Call<C>; event: DeltaEvents; isMissed?: true }
  /** The client is asked, under this id. */
  | { kind: 'question'; call: Call<C>; question: number; event: CodexEvent }
  /** The model of the client is asked. */
  | { kind: 'sampling'; call: Call<C>; event: Sampling }
  /** The client is asked for a file, or about a terminal. */
  | { kind: 'client'; call: Call<C>; event: FileEvent | TerminalEvent }
  /** These questions need no answer any more. */
  | { kind: 'withdrawn'; call: Call<C>; questions: readonly number[]; reason: string }
  /** The request is answered with the open questions, and no longer waits. */
  | { kind: 'suspended'; call: Call<C>; questions: ReadonlyMap<number, CodexEvent> }
  /** The request is answered that the call works on, and no longer waits. */
  | { kind: 'paused'; call: Call<C>; turn: Turn }
  /** The request was answered with a task, and no longer waits. */
  | { kind: 'detached'; call: Call<C> }
  /** The request gets no response, and no longer waits. */
  | { kind: 'cancelled'; call: Call<C> }
  /** The request is answered with the outcome, and no longer waits. */
  | { kind: 'finished'; call: Call<C>; outcome: Outcome }
  /** The request is answered with an error: its call is unknown, has another waiting request, or asks what this client cannot be asked. */
  | { kind: 'rejected'; call: Call<C>; reason: 'unknown' | 'busy' | 'unaskable' };

type Verdict = { kind: 'verdict'; question: number; verdict: ReviewResult };

/**
 * The time of an open question begins again. `long`: its client is asked now; `back`: its client was asked before and is back, which changes only
 * a short time; `short`: its client is away, and another call waits; `none`: no limit.
 */
export type Wait = { kind: 'wait'; question: number; limit: 'long' | 'back' | 'short' | 'none' };

/** What the engine gets: operations, the verdicts on its questions, and how long its questions wait. */
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

/** True if the request no longer waits for its call after this output. False for `rejected`: that request never waited; another may. */
export const endsWait = <C>({ kind }: Pick<CallOutput<C>, 'kind'>): boolean =>
  kind === 'suspended' || kind === 'paused' || kind === 'detached' || kind === 'cancelled' || kind === 'finished';

/** The output that withdraws these questions; empty if there are none. */
export const withdrawn = <C>(call: Call<C>, questions: Iterable<number>, reason: string): CallOutput<C>[] => {
  const open = [...questions];
  return open.length === 0 ? [] : [{ kind: 'withdrawn', call, questions: open, reason }];
};
