/** What the clients of 0.153 are shown of a turn besides the events of the engine: its state. */
import type { EventMsg, FileChanges, McpStartupStatus } from '../../protocol/codex/eventMsg';
import type { UserInput } from '../../protocol/codex/input';

/** `now` in milliseconds since 1970; `newId` never gives the same id twice. */
export type AddDeps = { now: () => number; newId: () => string };

/** A patch that the client was shown; `question` is the one about it that is open. */
export type ShownPatch = { changes: FileChanges; question?: number };

/** An item whose deltas arrive. `sections` are the texts of a reasoning so far, one per part of its summary. */
export type OpenItem = { id: string; sections: readonly string[] };

/** The thread and the id of an event. */
export type Place = { threadId: string; id: string };

/**
 * Servers of a new thread: `servers` are those that were named at its begin, `states` what was reported of each since. `isReported`: the
 * engine reports each.
 */
export type Starting = {
  servers?: readonly string[];
  states: ReadonlyMap<string, McpStartupStatus>;
  isReported?: true;
};

type Begin = Extract<EventMsg, { type: 'exec_command_begin' }>;

/**
 * The turn of a call. `place` is where its newest event belongs. `starting` are the MCP servers whose start was not reported yet;
 * `partsLeft` is how many whole parts follow of a reasoning that is complete; times in milliseconds.
 */
export type Turn0153 = {
  input: readonly UserInput[];
  place?: Place;
  starting?: Starting;
  startedMs?: number;
  firstTokenMs?: number;
  contextWindow: number | null;
  message?: OpenItem;
  reasoning?: OpenItem;
  partsLeft: number;
  patches: ReadonlyMap<string, ShownPatch>;
  commands: ReadonlyMap<string, Begin>;
};

/** A turn before its first event. */
export const newTurn0153 = (input: readonly UserInput[] = []): Turn0153 => ({
  input,
  contextWindow: null,
  partsLeft: 0,
  patches: new Map(),
  commands: new Map(),
});

/** The turn after a message, and the messages that replace it. */
export type Added = { turn: Turn0153; msgs: readonly EventMsg[] };

/** A map with one entry more, or without it. */
export const withEntry = <T>(
  map: ReadonlyMap<string, T>,
  key: string,
  value: T | undefined,
): ReadonlyMap<string, T> => {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
};
