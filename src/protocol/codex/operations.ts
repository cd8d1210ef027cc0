/** Operations: what an engine is asked to do. */
import type { UserInput } from './input';
import type { ThreadSettings, TurnSettings } from './settings';

/** The thread an operation belongs to: a new one, the newest of this connection, or one by id. */
export type ThreadRef = { start: ThreadSettings } | { newest: true } | { id: string };

/**
 * What every operation on a thread has. `callId` names one call of one client and comes back in every event it causes. `samples`: what the
 * model of the client can be asked for; absent where it cannot be asked. `eventId` becomes the `id` of its events; `askable`: a person can
 * be asked; `cannotAsk`: why a client that declared so cannot be asked all the same.
 */
type OnThread = {
  callId: string;
  eventId: string;
  thread: ThreadRef;
  askable: boolean;
  cannotAsk?: string;
  samples?: Samples;
};

/** What the model of a client can be asked for: texts, or calls of tools too. */
export type Samples = 'text' | 'tools';

type WithInput = OnThread & { input: readonly UserInput[]; settings?: TurnSettings; lasting?: TurnSettings };

/**
 * Input for a thread. A `turn` waits until the thread has no turn that runs, then is one. An `input` joins the turn that runs, and
 * is then `joined`; it is a turn of its own where none runs, or where the turn ends before it could take the input. In both cases
 * the model gets it exactly once.
 * `settings` apply to the turn, `lasting` to the turn and to all later ones; an input that joins a turn changes no settings.
 */
export type TurnOp = (WithInput & { kind: 'turn' }) | (WithInput & { kind: 'input' });

/** Opens a thread without a turn: a new one emits `session_configured`, a known one nothing. Ends with `done`. */
export type OpenOp = OnThread & { kind: 'open' };

/** Summarizes the conversation of a thread, so that it takes less of the model's context. A turn of its own. */
export type CompactOp = OnThread & { kind: 'compact' };

/**
 * Stops the turn that runs, withdraws everything that waits, and releases what the thread holds. Ends with `done`; the thread is
 * known again where an engine can load it from disk.
 */
export type CloseOp = OnThread & { kind: 'close' };

/** What takes its place in the queue of its thread. */
export type ThreadOp = TurnOp | OpenOp | CompactOp | CloseOp;

/**
 * Stops the turn of a thread, and the input that has not joined it. Ends with `done` once the turn has had its last event, at once
 * where none runs. Turns that wait still run.
 */
export type InterruptThreadOp = { kind: 'interruptThread'; callId: string; thread: ThreadRef };

/** What an engine is asked to do. `interrupt` cancels the call of this id, whatever it does, which ends with `turn_aborted`. */
export type Op = ThreadOp | InterruptThreadOp | { kind: 'interrupt'; callId: string };
