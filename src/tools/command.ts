/** Owns the shapes of one command: what it is, its course, what is said of it. */
import type { Started } from '../executor';
import type { EventMsg, ParsedCommand, ProcessEvent } from '../protocol';

/** What a tool says while it works: events for the client, at last one output for the model. */
export type ToolOutput = { kind: 'event'; msg: EventMsg } | { kind: 'output'; text: string };

/** `cwd` is absolute, `env` whole, `timeoutMs` counts from the start. */
export type CommandRun = {
  callId: string;
  argv: readonly string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
  parsed: ParsedCommand[];
};

/** One step in the course of a command. `timedOut`: its time is over; `left`: it has exited and lingered long enough. */
export type Step = Started | ProcessEvent | { kind: 'timedOut' } | { kind: 'left' };

export const event = (msg: EventMsg): ToolOutput => ({ kind: 'event', msg });
