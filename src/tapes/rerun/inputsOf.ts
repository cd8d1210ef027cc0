/** Sends the recorded inputs to a daemon that runs again, each once the daemon has sent all that comes before it on the tape. */
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  Subject,
  scan,
  startWith,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs';
import type { PlannedStep } from './rerunPlan';
import { NOT_RUNNING, type RunEvent, type RunStep, runSteps } from './runSteps';

/**
 * `idle` emits once the work under way is done; `lateMs` is how long to wait for something recorded. Once something did not come, the
 * daemon is known to differ, and later waits are brief.
 */
export type InputDeps = { idle: Observable<unknown>; lateMs: number };

const BRIEFLY_MS = 100;

/**
 * What the daemon does becomes its next inputs. Completes after the last step.
 *   in   ---l----c--      (l a line of the daemon, c a call)
 *   out  i---r----d-|     (i, r, d inputs)
 */
export const inputsOf =
  (
    { idle, lateMs }: InputDeps,
    steps: readonly PlannedStep[],
  ): OperatorFunction<RunEvent, NonNullable<RunStep['input']>> =>
  (event$) => {
    const again$ = new Subject<number>(); // the wire from an input to the next one: how long to wait, in ms
    const run = runSteps(steps);
    const pause$ = again$.pipe(startWith(lateMs), switchMap(pauseOf(idle)));
    return merge(event$, pause$).pipe(
      scan<RunEvent, RunStep & { event?: RunEvent }>(({ state }, event) => ({ ...run(state, event), event }), {
        state: NOT_RUNNING,
        isOver: false,
      }),
      takeWhile(({ isOver }) => !isOver),
      concatMap(({ input, event, state: { wasLate } }) =>
        concat(
          input === undefined ? EMPTY : of(input),
          defer(() => {
            if (input !== undefined || event?.kind !== 'idle')
              again$.next(wasLate ? Math.min(lateMs, BRIEFLY_MS) : lateMs); // an idle daemon without an input waits
            return EMPTY;
          }),
        ),
      ),
    );
  };

const pauseOf =
  (idle: Observable<unknown>) =>
  (waitMs: number): Observable<RunEvent> =>
    merge(
      idle.pipe(map((): RunEvent => ({ kind: 'idle' }))),
      timer(waitMs).pipe(map((): RunEvent => ({ kind: 'late' }))),
    );
