/** Gives a daemon that runs again its recorded inputs, one by one, when it has put out what it had before. */
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
import type { Step } from './rerunPlan';
import { NOT_RUNNING, type RunEvent, type RunStep, runSteps } from './runSteps';

/**
 * `idle` emits once the work that is under way is done; `lateMs` is how long something recorded may not come. Where something did not, it is
 * known that the daemon does other things, so what it lacks later is waited for briefly.
 */
export type InputDeps = { idle: Observable<unknown>; lateMs: number };

const BRIEFLY_MS = 100;

/**
 * What the daemon does becomes its next inputs. Completes behind the last step.
 *   in   ---l----c--      (l a line of the daemon, c a call)
 *   out  i---r----d-|     (i, r, d inputs)
 */
export const inputsOf =
  ({ idle, lateMs }: InputDeps, steps: readonly Step[]): OperatorFunction<RunEvent, NonNullable<RunStep['input']>> =>
  (event$) => {
    const again$ = new Subject<number>(); // how long to wait, in ms: the wire from an input to the next one
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
              again$.next(wasLate ? Math.min(lateMs, BRIEFLY_MS) : lateMs); // an idle one without an input waits
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
