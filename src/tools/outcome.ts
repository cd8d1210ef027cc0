/** Owns what a finished command comes to: its end event and what the model is told of it. */
import type { Duration, EventMsg } from '../protocol';
import { type Captured, capture, nothingCaptured, toText } from './capture';
import { type CommandRun, event, type Step, type ToolOutput } from './command';
import { shorten } from './shorten';

/** Longest text of one stream in the end event. */
const MAX_CAPTURED_BYTES = 1_048_576;

/** What a command has come to so far. */
export type Outcome = {
  stdout: Captured;
  stderr: Captured;
  all: Captured;
  exitCode?: number;
  failure?: 'timedOut' | { reason: string };
};

export const outset = (): Outcome => ({ stdout: nothingCaptured(), stderr: nothingCaptured(), all: nothingCaptured() });

/** Takes a step into account; captured output is added in place. */
export const collect = (outcome: Outcome, step: Step): Outcome => {
  switch (step.kind) {
    case 'output':
      capture(outcome[step.stream === 'stderr' ? 'stderr' : 'stdout'], step.chunk, MAX_CAPTURED_BYTES);
      capture(outcome.all, step.chunk, MAX_CAPTURED_BYTES);
      return outcome;
    case 'exited':
      return { ...outcome, exitCode: step.exitCode };
    case 'timedOut':
      return { ...outcome, failure: 'timedOut' };
    case 'failed':
      return { ...outcome, failure: { reason: step.reason } };
    default:
      return outcome;
  }
};

const toDuration = (ms: number): Duration => ({
  secs: Math.floor(ms / 1000),
  nanos: Math.round((ms % 1000) * 1e6),
});

/** The last words on a command: `exec_command_end`, then what the model reads. */
export const conclude = (run: CommandRun, outcome: Outcome, tookMs: number): ToolOutput[] => {
  const said = toText(outcome.all);
  const formatted = shorten(said);
  const trouble = troubleOf(run, outcome);
  const text =
    trouble === undefined
      ? toModelOutput(formatted, outcome.exitCode ?? -1, tookMs)
      : [trouble, formatted].filter(Boolean).join('\n');
  const end: EventMsg = {
    type: 'exec_command_end',
    call_id: run.callId,
    stdout: toText(outcome.stdout),
    stderr:
      trouble === undefined ? toText(outcome.stderr) : [toText(outcome.stderr), trouble].filter(Boolean).join('\n'),
    aggregated_output: said,
    exit_code: trouble === undefined ? (outcome.exitCode ?? -1) : -1,
    duration: toDuration(tookMs),
    formatted_output: trouble === undefined ? formatted : text,
  };
  return [event(end), { kind: 'output', text }];
};

const troubleOf = ({ timeoutMs }: CommandRun, { failure }: Outcome): string | undefined => {
  if (failure === undefined) return undefined;
  return failure === 'timedOut'
    ? `command timed out after ${timeoutMs} milliseconds`
    : `execution error: ${failure.reason}`;
};

/** Source: Codex 0.28.0, WIRE 12.2: `duration_seconds` always shows its fraction. */
const toModelOutput = (output: string, exitCode: number, tookMs: number): string => {
  const seconds = (Math.round(tookMs / 100) / 10).toFixed(1);
  return `{"output":${JSON.stringify(output)},"metadata":{"exit_code":${exitCode},"duration_seconds":${seconds}}}`;
};
