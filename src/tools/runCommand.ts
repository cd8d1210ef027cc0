/** Owns running one command of a model: its events, its time limit, what the model is told of it. */
import {
  concat,
  concatMap,
  connect,
  defer,
  filter,
  map,
  merge,
  type Observable,
  of,
  reduce,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { Backend, Started } from '../executor';
import type { Duration, EventMsg, ParsedCommand, ProcessEvent } from '../protocol';
import { type Captured, capture, nothingCaptured, toText } from './capture';
import { shorten } from './shorten';

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

export type RunDeps = { backend: Backend; now: () => number };

/** Longest text of one stream in the end event. */
const MAX_CAPTURED_BYTES = 1_048_576;
/** Source: Codex 0.28.0, at most so many deltas per command and stream. */
const MAX_DELTAS = 10_000;
/** How long output may still come after the exit; a background child must not hold the call. */
const LINGER_MS = 250;

type Step = Started | ProcessEvent | { kind: 'timedOut' } | { kind: 'left' };

/** What does not end the command. */
const GOES_ON: readonly Step['kind'][] = ['started', 'output', 'gap', 'exited'];

/**
 * Runs a command to its end, its time limit, or to unsubscription; each ends its whole process group.
 * Emits `exec_command_begin`, output deltas, `exec_command_end`, then the output. Never errors.
 *   process  o--o-x|
 *   out     bd--d-(EO|)    (b begin, d delta, E end, O output for the model)
 * Source: Codex 0.28.0, CORE 6.2; its time limit killed one process only and then waited for the rest.
 */
export const runCommand =
  ({ backend, now }: RunDeps) =>
  (run: CommandRun): Observable<ToolOutput> =>
    defer(() => {
      const startedMs = now();
      const { argv: command, cwd, callId: call_id, env } = run;
      return concat(
        of(event({ type: 'exec_command_begin', call_id, command, cwd, parsed_cmd: run.parsed })),
        backend.start({ argv: command, cwd, env }).pipe(
          untilOver(run.timeoutMs),
          connect((step$) =>
            merge(
              deltas(call_id, step$),
              step$.pipe(
                reduce(collect, outset()),
                concatMap((outcome) => conclude(run, outcome, now() - startedMs)),
              ),
            ),
          ),
        ),
      );
    });

const event = (msg: EventMsg): ToolOutput => ({ kind: 'event', msg });

/** Ends at close, at the time limit, or shortly after the exit. */
const untilOver =
  (timeoutMs: number) =>
  (event$: Observable<Started | ProcessEvent>): Observable<Step> =>
    event$.pipe(
      connect((process$) => {
        const exited$ = process$.pipe(filter(({ kind }) => kind === 'exited'));
        const left$ = exited$.pipe(concatMap(() => timer(LINGER_MS).pipe(map(() => ({ kind: 'left' as const })))));
        const late$ = timer(timeoutMs).pipe(
          map(() => ({ kind: 'timedOut' as const })),
          takeUntil(exited$),
        );
        return merge(process$, left$, late$);
      }),
      takeWhile(({ kind }) => GOES_ON.includes(kind), true),
    );

const deltas = (call_id: string, step$: Observable<Step>): Observable<ToolOutput> =>
  step$.pipe(
    filter((step) => step.kind === 'output'),
    takeWhile((step, i) => i < MAX_DELTAS && step.kind === 'output'),
    map(({ stream, chunk }) => event({ type: 'exec_command_output_delta', call_id, stream, chunk })),
  );

type Outcome = {
  stdout: Captured;
  stderr: Captured;
  all: Captured;
  exitCode?: number;
  failure?: 'timedOut' | { reason: string };
};

const outset = (): Outcome => ({ stdout: nothingCaptured(), stderr: nothingCaptured(), all: nothingCaptured() });

const collect = (outcome: Outcome, step: Step): Outcome => {
  switch (step.kind) {
    case 'output':
      capture(outcome[step.stream], step.chunk, MAX_CAPTURED_BYTES);
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

const conclude = (run: CommandRun, outcome: Outcome, tookMs: number): ToolOutput[] => {
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
