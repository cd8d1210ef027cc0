/** Owns running one command of a model: its events and its time limit. */
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
  take,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { Backend, Started } from '../executor';
import type { ProcessEvent } from '../protocol';
import { ofKind, toTimerMs } from '../streams';
import { type CommandRun, event, type Step, type ToolOutput } from './command';
import { collect, conclude, outset } from './outcome';

export type RunDeps = { backend: Backend; now: () => number };

/** Source: Codex 0.28.0, at most so many deltas per command and stream. */
const MAX_DELTAS = 10_000;
/** How long output may still come after the exit; a background child must not hold the call. */
const LINGER_MS = 250;

const OUTPUT_STREAMS = ['stdout', 'stderr'] as const;

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
                concatMap((outcome) => conclude(run, outcome, Math.max(0, now() - startedMs))),
              ),
            ),
          ),
        ),
      );
    });

/** Ends at close, at the time limit, or shortly after the exit. */
const untilOver =
  (timeoutMs: number) =>
  (event$: Observable<Started | ProcessEvent>): Observable<Step> =>
    event$.pipe(
      connect((process$) => {
        const exited$ = process$.pipe(ofKind('exited'));
        const left$ = exited$.pipe(concatMap(() => timer(LINGER_MS).pipe(map(() => ({ kind: 'left' as const })))));
        const late$ = timer(toTimerMs(timeoutMs)).pipe(
          map(() => ({ kind: 'timedOut' as const })),
          takeUntil(exited$),
        );
        return merge(process$, left$, late$);
      }),
      takeWhile(({ kind }) => GOES_ON.includes(kind), true),
    );

const deltas = (call_id: string, step$: Observable<Step>): Observable<ToolOutput> =>
  merge(
    ...OUTPUT_STREAMS.map((stream) =>
      step$.pipe(
        ofKind('output'),
        filter((output) => output.stream === stream),
        take(MAX_DELTAS),
        map(({ chunk }) => event({ type: 'exec_command_output_delta', call_id, stream, chunk })),
      ),
    ),
  );
