/** Operations: what an engine is asked to do. */
import type { ThreadSettings } from './settings';
import type { TurnSettings } from './turnSettings';

/** The thread an operation belongs to: a new one, the newest of this connection, or one by id. */
export type ThreadRef = { start: ThreadSettings } | { newest: true } | { id: string };

/** Who can be asked about a call, and how. */
export type Asker = {
  /** A person can be asked. */
  askable: boolean;
  /** Why a client cannot be asked although it declared that it can. */
  cannotAsk?: string;
  /** The client is asked by a task: the calls of one answer are asked together, and the time of the turn stands still meanwhile. */
  asksByTask?: true;
};

type OnThread = Asker & {
  /** Names one call of one client; every event that it causes carries it. */
  callId: string;
  /** The `id` of its events. */
  eventId: string;
  thread: ThreadRef;
  /** What the client's model can be asked for; undefined if it cannot be asked. */
  samples?: Samples;
  /** The client reads and writes files as its editor shows them, if it is asked to. */
  files?: true;
  /** The client runs commands of this machine in its terminals, if it is asked to. */
  terminals?: TerminalWords;
};

/** Which words of a command a client can be given: `any`, or `plain` ones only, as it makes a line for a shell of them. */
export type TerminalWords = 'any' | 'plain';

/** What a client's model can be asked for: texts only, or tool calls too. */
export type Samples = 'text' | 'tools';

type WithInput = OnThread & { input: readonly UserInput[]; settings?: TurnSettings; lasting?: TurnSettings };

/**
 * Input for a thread. A `turn` waits until no turn is running on the thread, then starts one. An `input` joins the running turn, and
 * then ends as `joined`; it starts a turn of its own if none is running, or if the turn ends before it could take the input. In both
 * cases the model gets it exactly once.
 * `settings` apply to the turn, `lasting` to the turn and to all later ones; an input that joins a turn changes no settings.
 */
export type TurnOp = (WithInput & { kind: 'turn' }) | (WithInput & { kind: 'input' });

/** Opens a thread without a turn: a new one emits `session_configured`. Ends with `done`. `lasting` is for threads read from a rollout. */
export type OpenOp = OnThread & { kind: 'open'; lasting?: TurnSettings };

/** Summarizes the conversation of a thread, so that it takes less of the model's context. A turn of its own. */
type CompactOp = OnThread & { kind: 'compact' };

/** Stops the turn, withdraws what waits, and releases the thread. Ends with `done`; it can be loaded again. */
export type CloseOp = OnThread & { kind: 'close' };

/** An operation that takes its place in the queue of its thread. */
export type ThreadOp = TurnOp | OpenOp | CompactOp | CloseOp;

/** Stops the turn of a thread, and input that has not joined it. Ends with `done` after its last event. Waiting turns still run. */
export type InterruptThreadOp = { kind: 'interruptThread'; callId: string; thread: ThreadRef };

/** What an engine is asked to do. `interrupt` cancels the call with this id, whatever it is doing; that call ends with `turn_aborted`. */
export type Op = ThreadOp | InterruptThreadOp | { kind: 'interrupt'; callId: string };

/** `url` of an image may be a data URL; `path` is absolute, or relative to the folder of the thread. */
export type UserInput =
  | { type: 'text'; text: string }
  | { type: 'image'; url: string }
  | { type: 'localImage'; path: string };

/** A prompt as input. */
export const toInput = (prompt: string): UserInput[] => [{ type: 'text', text: prompt }];

/** The texts of an input, one per line, without its images. */
export const textOf = (input: readonly UserInput[]): string =>
  input.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
