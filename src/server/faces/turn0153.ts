/** What the clients of 0.153 are shown of a turn besides the events of the engine: its state. */
import type { EventMsg, FileChanges, McpStartupStatus } from '../../protocol/codex/eventMsg';
import type { UserInput } from '../../protocol/codex/operations';

export type AddDeps = {
  /** Milliseconds since 1970. */
  now: () => number;
  /** Never returns the same id twice. */
  newId: () => string;
};

/** A patch that the client was shown. */
type ShownPatch = {
  changes: FileChanges;
  /** The open question about it. */
  question?: number;
};

/** An item whose deltas arrive. */
type OpenItem = {
  id: string;
  /** Texts of a reasoning so far, one for each part of its summary. */
  sections: readonly string[];
};

type Place = { threadId: string; id: string };

/** MCP servers of a new thread. */
export type Starting = {
  /** Named when the thread began. */
  servers?: readonly string[];
  /** What was reported of each since. */
  states: ReadonlyMap<string, McpStartupStatus>;
  /** The engine reports each server. */
  isReported?: true;
};

type Begin = Extract<EventMsg, { type: 'exec_command_begin' }>;

/** The turn of a call. */
export type Turn0153 = {
  input: readonly UserInput[];
  /** Place of the newest event. */
  place?: Place;
  /** MCP servers whose start was not reported yet. */
  starting?: Starting;
  startedMs?: number;
  firstTokenMs?: number;
  contextWindow: number | null;
  message?: OpenItem;
  reasoning?: OpenItem;
  /** How many whole parts of a complete reasoning follow. */
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
