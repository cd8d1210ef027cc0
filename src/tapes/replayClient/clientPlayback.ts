/** The state of a recorded client that is played. */
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { SparseArray } from '../session/sparseArray';

/** A request of the server. */
export type Request = TapeMessage & { kind: 'request' };

/**
 * `next` is the client line to send, `counted` the recorded server lines that are due before it. `balance` is by kind: how many
 * more came than are due; `missing` sums those that are due and have not come. `received` counts the lines of a
 * kind; `openRequests` are those of the server; `bound` has the text that stands for a handle.
 */
export type PlayingClient = {
  phase: 'playing';
  next: number;
  counted: number;
  balance: SparseArray<number>;
  missing: { required: number; optional: number };
  received: SparseArray<number>;
  openRequests: readonly Request[];
  bound: SparseArray<string>;
};

/** A client between two of its lines: it counts what comes, and waits however long the server is silent. */
export type PausingClient = Omit<PlayingClient, 'phase'> & { phase: 'pausing' };

/** A client that plays its lines, pauses, or has played all it can. */
export type ClientPlayback = PlayingClient | PausingClient | { phase: 'finished' };

/** A client before its start. */
export const IDLE_CLIENT: PlayingClient = {
  phase: 'playing',
  next: 0,
  counted: 0,
  balance: [],
  missing: { required: 0, optional: 0 },
  received: [],
  openRequests: [],
  bound: [],
};
