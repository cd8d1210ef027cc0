/** Runs one command: its events and its time limit. */
import {
  concat,
  concatMap,
  connect,
  defer,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  of,
  reduce,
  scan,
  startWith,
  take,
  takeUntil,
  takeWhile,
} from 'rxjs';
import type { Backend, Started } from '../../executor/backend';
import type { ProcessEvent } from '../../protocol/exec/process';
import type { Backpressure } from '../../streams/backpressure';
import { ofKind } from '../../streams/ofKind';
import { type PausableTimerDeps, pausableTimer } from '../../streams/time/limits';
import { addToOutcome, type CommandEvent, type CommandRun, noOutcome, toEnd } from './commandOutcome';
import { type ToolEvent, toEvent } from './tool';

type RunDeps = {
  backend: Backend;
  /** Of the queue to the client, which slows down what the command writes. */
  backpressure: Backpressure;
  /** In ms, for durations. */
  now: () => number;
  /** Time in ms without jumps, for the time limit. */
  clockMs: () => number;
};

/** Source: Codex 0.28.0, at most this many deltas per command and stream. */
const MAX_DELTAS = 10_000;
/** As much as that: its deltas have at most 8 KiB. */
const MAX_DELTA_BYTES = MAX_DELTAS * 8_192;
/** How long output may still come after the exit, in ms; a background child must not keep the call open. */
const LINGER_MS = 250;

const OUTPUT_STREAMS = ['stdout', 'stderr'] as const;

/** Events that do not end the command. */
const CONTINUES: readonly CommandEvent['kind'][] = ['started', 'output', 'gap', 'exited'];

/**
 * Runs a command to its end, its time limit, or to unsubscription; each ends its whole process group.
 * Emits `exec_command_begin`, output deltas, `exec_command_end`, then the output. Never errors.
 *   process  o--o-x|
 *   out     bd--d-(EO|)    (b begin, d delta, E end, O output for the model)
 * Source: Codex 0.28.0, CORE 6.2; its time limit killed one process only and then waited for the rest.
 */
export const runCommand =
  ({ backend, backpressure, now, clockMs }: RunDeps) =>
  (run: CommandRun): Observable<ToolEvent> =>
    defer(() => {
      const startedMs = now();
      const { argv: command, cwd, realCwd, callId: call_id, env } = run;
      const spec = { argv: command, cwd, env, ...(realCwd !== undefined && { realCwd }) };
      return concat(
        of(toEvent({ type: 'exec_command_begin', call_id, command, cwd, parsed_cmd: run.parsed })),
        backend.start(spec).pipe(
          untilEnd({ ...backpressure, clockMs }, run.timeoutMs),
          connect((event$) =>
            merge(
              deltas(call_id, event$),
              event$.pipe(
                reduce(addToOutcome, noOutcome()),
                concatMap((outcome) => toEnd(run, outcome, Math.max(0, now() - startedMs))),
              ),
            ),
          ),
        ),
      );
    });

/** Ends at close, at the time limit, or shortly after the exit. Time during which the client holds the command back does not count. */
const untilEnd =
  (deps: PausableTimerDeps, timeoutMs: number) =>
  (event$: Observable<Started | ProcessEvent>): Observable<CommandEvent> =>
    event$.pipe(
      connect((process$) => {
        const exited$ = process$.pipe(ofKind('exited'));
        const lingered$ = exited$.pipe(
          concatMap((exited) => process$.pipe(startWith(exited), pausableTimer(deps, LINGER_MS))),
          map(() => ({ kind: 'lingered' as const })),
        );
        const timedOut$ = process$.pipe(
          pausableTimer(deps, timeoutMs),
          map(() => ({ kind: 'timedOut' as const })),
          takeUntil(exited$),
        );
        return merge(process$, lingered$, timedOut$);
      }),
      takeWhile(({ kind }) => CONTINUES.includes(kind), true),
    );

/** Completes before the output that passes the limit. */
const upTo =
  <T extends { chunk: Uint8Array }>(maxBytes: number): MonoTypeOperatorFunction<T> =>
  (output$) =>
    output$.pipe(
      scan<T, { bytes: number; output?: T }>(({ bytes }, output) => ({ bytes: bytes + output.chunk.length, output }), {
        bytes: 0,
      }),
      takeWhile(({ bytes }) => bytes <= maxBytes),
      map(({ output }) => output as T),
    );

const deltas = (call_id: string, event$: Observable<CommandEvent>): Observable<ToolEvent> =>
  merge(
    ...OUTPUT_STREAMS.map((stream) =>
      event$.pipe(
        ofKind('output'),
        filter((output) => output.stream === stream),
        take(MAX_DELTAS),
        upTo(MAX_DELTA_BYTES),
        map(({ chunk }) => toEvent({ type: 'exec_command_output_delta', call_id, stream, chunk })),
      ),
    ),
  );
