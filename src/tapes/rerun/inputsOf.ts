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
import { inputFirst } from '../../streams/time/limits';
import type { PlannedStep } from './rerunPlan';

/** How it is known that the daemon has nothing more to do. */
type InputDeps = {
  /** Emits once the work under way is done. */
  idle: Observable<unknown>;
  /** How long to wait for something recorded. Once something did not come, the daemon is known to differ, and later waits are brief. */
  lateMs: number;
};

const BRIEFLY_MS = 100;

/**
 * Maps what the daemon does to its next inputs. Completes after the last step.
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
      timer(waitMs, inputFirst).pipe(map((): RunEvent => ({ kind: 'late' }))),
    );

type Running = {
  /** The next step. */
  at: number;
  /** How many lines of the daemon come before the next step. */
  due: number;
  /** How many lines the daemon sent. */
  lines: number;
  /** The recorded calls that the daemon made and whose steps are not over. */
  claimed: ReadonlySet<number>;
  /** Something did not come: the daemon differs from the recorded one. */
  wasLate: boolean;
};

/** Before the first step. */
export const NOT_RUNNING: Running = { at: 0, due: 0, lines: 0, claimed: new Set(), wasLate: false };

/** What happens: the daemon sent a line, or made a recorded call; `idle`: it does nothing; `late`: it did not do in time what is due. */
export type RunEvent = { kind: 'line' } | { kind: 'call'; call: number } | { kind: 'idle' } | { kind: 'late' };

type RunStep = {
  state: Running;
  /** The input to send, if any. */
  input?: Extract<PlannedStep, { kind: 'send' | 'end' | 'close' | 'stop' | 'respond' }>;
  /** The last step is done. */
  isOver: boolean;
};

/** The reducer of a rerun. Sends an input for each `idle` once all before it has come; after `late` it no longer waits for that. */
export const runSteps =
  (steps: readonly PlannedStep[]) =>
  (before: Running, event: RunEvent): RunStep => {
    const state = received(before, event);
    if (event.kind === 'line' || event.kind === 'call') return { state, isOver: false };
    const passed = event.kind === 'late' ? skip(steps, { ...state, wasLate: true }) : pass(steps, state);
    const step = steps[passed.at];
    if (step === undefined) return { state: passed, isOver: true };
    if (step.kind === 'line' || step.kind === 'request') return { state: passed, isOver: false };
    return { state: { ...passed, at: passed.at + 1 }, input: step, isOver: false };
  };

const received = (state: Running, event: RunEvent): Running => {
  if (event.kind === 'line') return { ...state, lines: state.lines + 1 };
  return event.kind === 'call' ? { ...state, claimed: new Set([...state.claimed, event.call]) } : state;
};

const skip = (steps: readonly PlannedStep[], state: Running): Running => {
  let passed = pass(steps, state);
  for (let step = steps[passed.at]; step?.kind === 'line' || step?.kind === 'request'; step = steps[passed.at])
    passed = pass(
      steps,
      step.kind === 'line' ? { ...passed, lines: passed.lines + 1 } : { ...passed, at: passed.at + 1 },
    );
  return passed;
};

/** Goes to the first step that is an input or has not come. */
const pass = (steps: readonly PlannedStep[], state: Running): Running => {
  let { at, due } = state;
  const over = new Set<number>();
  for (let step = steps[at]; step !== undefined; step = steps[++at]) {
    if (step.kind === 'line' && state.lines > due) due += 1;
    else if (step.kind === 'request' && state.claimed.has(step.call)) over.add(step.call);
    else break;
  }
  const claimed = over.size === 0 ? state.claimed : new Set([...state.claimed].filter((call) => !over.has(call)));
  return { ...state, at, due, claimed };
};
