/** The outcome of a command: its end event, and what the model reads of it. */

import type { ImposedLimit } from '../../executor/backend';
import type { Duration, EventMsg } from '../../protocol/codex/eventMsg';
import { type Captured, capture, nothingCaptured, toText } from './capture';
import { type CommandEvent, type CommandRun, toEvent } from './commandRun';
import { limitNote, withNote } from './limitNote';
import { shorten } from './shorten';
import type { ToolEvent } from './tool';

/** Longest text of one stream in the end event. */
const MAX_CAPTURED_BYTES = 1_048_576;

/** The outcome of a command so far; `failure` is set if it did not end by itself. */
export type CommandOutcome = {
  stdout: Captured;
  stderr: Captured;
  all: Captured;
  exitCode?: number;
  failure?: 'timedOut' | { reason: string };
  keptBy?: ImposedLimit;
};

/** The outcome before the first event. */
export const noOutcome = (): CommandOutcome => ({
  stdout: nothingCaptured(),
  stderr: nothingCaptured(),
  all: nothingCaptured(),
});

/** Adds an event to the outcome. Captured output is added in place, because megabytes of it pass, chunk by chunk. */
export const addToOutcome = (outcome: CommandOutcome, event: CommandEvent): CommandOutcome => {
  switch (event.kind) {
    case 'output':
      capture(outcome[event.stream === 'stderr' ? 'stderr' : 'stdout'], event.chunk, MAX_CAPTURED_BYTES);
      capture(outcome.all, event.chunk, MAX_CAPTURED_BYTES);
      return outcome;
    case 'started':
      return event.keptBy === undefined ? outcome : { ...outcome, keptBy: event.keptBy };
    case 'exited':
      return { ...outcome, exitCode: event.exitCode };
    case 'timedOut':
      return { ...outcome, failure: 'timedOut' };
    case 'failed':
      return { ...outcome, failure: { reason: event.reason } };
    default:
      return outcome;
  }
};

/** A duration in the form of tool events. */
export const toDuration = (ms: number): Duration => ({
  secs: Math.floor(ms / 1000),
  nanos: Math.round((ms % 1000) * 1e6),
});

/** The last events of a command: `exec_command_end`, then what the model reads. */
export const toEnd = (run: CommandRun, outcome: CommandOutcome, tookMs: number): ToolEvent[] => {
  const output = toText(outcome.all);
  const trouble = troubleOf(run, outcome);
  const exitCode = trouble === undefined ? (outcome.exitCode ?? -1) : -1;
  const [stdout, stderr] = [toText(outcome.stdout), toText(outcome.stderr)];
  const note = limitNote({ keptBy: outcome.keptBy ?? run.keptBy, exitCode, stdout, stderr });
  const formatted = withNote(shorten(output), note);
  const text = trouble === undefined ? toModelOutput(formatted, exitCode, tookMs) : joined(trouble, formatted);
  const end: EventMsg = {
    type: 'exec_command_end',
    call_id: run.callId,
    stdout,
    stderr: trouble === undefined ? withNote(stderr, note) : joined(stderr, trouble),
    aggregated_output: output,
    exit_code: exitCode,
    duration: toDuration(tookMs),
    formatted_output: trouble === undefined ? formatted : text,
  };
  return [toEvent(end), { kind: 'output', text }];
};

const joined = (...texts: string[]): string => texts.filter(Boolean).join('\n');

const troubleOf = ({ timeoutMs }: CommandRun, { failure }: CommandOutcome): string | undefined => {
  if (failure === undefined) return undefined;
  return failure === 'timedOut'
    ? `command timed out after ${timeoutMs} milliseconds`
    : `execution error: ${failure.reason}`;
};

/** What the model reads of a command. Source: Codex 0.28.0: `duration_seconds` always shows its fraction. */
export const toModelOutput = (output: string, exitCode: number, tookMs: number): string => {
  const seconds = (Math.round(tookMs / 100) / 10).toFixed(1);
  return `{"output":${JSON.stringify(output)},"metadata":{"exit_code":${exitCode},"duration_seconds":${seconds}}}`;
};
