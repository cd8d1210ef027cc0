/** One run of a command, and its course. */
import type { ImposedLimit, Started } from '../../executor/backend';
import type { EventMsg, ParsedCommand } from '../../protocol/codex/eventMsg';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { ToolEvent } from './tool';

/**
 * `cwd` is absolute, `realCwd` what it led to when the command was assessed, `env` is complete, `timeoutMs` counts from the start. `keptBy`: a limit
 * that restricts it even if a person approved more.
 */
export type CommandRun = {
  callId: string;
  argv: readonly string[];
  cwd: string;
  realCwd?: string;
  env: Record<string, string>;
  timeoutMs: number;
  parsed: ParsedCommand[];
  keptBy?: ImposedLimit;
};

/** What happens to a command. `timedOut`: its time is over; `lingered`: it has exited, and its output stayed open too long. */
export type CommandEvent = Started | ProcessEvent | { kind: 'timedOut' } | { kind: 'lingered' };

/** An event of Codex as what a tool emits. */
export const toEvent = (msg: EventMsg): ToolEvent => ({ kind: 'event', msg });
