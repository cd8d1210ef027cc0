/** The reducer of a rerun: which recorded input is next, once the daemon has sent all that comes before it on the tape. */
import type { PlannedStep } from './rerunPlan';

/**
 * `at` is the next step; `due` counts the lines before it, `lines` those that the daemon sent; `claimed` are the recorded calls that it made,
 * except those whose steps are over; `wasLate` once something did not come: the daemon no longer does what it did.
 */
export type Running = { at: number; due: number; lines: number; claimed: ReadonlySet<number>; wasLate: boolean };

/** Before the first step. */
export const NOT_RUNNING: Running = { at: 0, due: 0, lines: 0, claimed: new Set(), wasLate: false };

/** What happens: the daemon sent a line, or made a recorded call; `idle`: it does nothing; `late`: it does not do what is due. */
export type RunEvent = { kind: 'line' } | { kind: 'call'; call: number } | { kind: 'idle' } | { kind: 'late' };

/** An input to give, or none; the state, and `isOver` after the last step. */
export type RunStep = {
  state: Running;
  input?: Extract<PlannedStep, { kind: 'send' | 'end' | 'close' | 'stop' | 'respond' }>;
  isOver: boolean;
};

/** Gives one input for each `idle`, if all that was recorded before it has come. What is `late` is no longer waited for, up to the next input. */
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

/** As if all that is waited for before the next input had come. */
const skip = (steps: readonly PlannedStep[], state: Running): Running => {
  let passed = pass(steps, state);
  for (let step = steps[passed.at]; step?.kind === 'line' || step?.kind === 'request'; step = steps[passed.at])
    passed = pass(
      steps,
      step.kind === 'line' ? { ...passed, lines: passed.lines + 1 } : { ...passed, at: passed.at + 1 },
    );
  return passed;
};

/** Goes to the first step that is an input, or that has not come. */
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
