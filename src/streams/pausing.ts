/** Long work that lets other work pass: it yields where it may pause, and returns its result; and many starts that let other work pass. */
import {
  defer,
  EMPTY,
  expand,
  finalize,
  map,
  type Observable,
  of,
  type SchedulerAction,
  type SchedulerLike,
  Subscription,
  skipWhile,
  subscribeOn,
} from 'rxjs';

/** Yields often, and then has nothing to tell. */
export type Pausing<T> = Generator<void, T, void>;

/** Does the work without a pause. */
export const atOnce = <T>(work: Pausing<T>): T => {
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
};

/** Where work goes on. */
type TurnDeps = {
  /** In ms; never goes back. */
  now: () => number;
  /** Runs a function when what waits in the event loop has been served. */
  soon: (run: () => void) => void;
};

/** Work that is done in order, in turns of the event loop. */
type WorkQueue = {
  /** Begins the work in the next turn, after the work before it. @param size of what it keeps in memory until it is done */
  add: (work: Pausing<void>, size: number) => void;
  isIdle: () => boolean;
  /** Does all that is left, without a pause. */
  finish: () => void;
};

/** How long a turn takes, plus one step of the work. */
const TURN_MS = 10;
/** If more than this waits, it is done without a pause: whoever sends it is faster than the work. */
const MAX_SIZE = 67_108_864;

/**
 * Makes an empty queue. Each turn works for ten ms.
 *   add   ab-----
 *   turn  -AAB---    (a takes two turns)
 */
export const workInTurns = ({ now, soon }: TurnDeps): WorkQueue => {
  const waiting: { work: Pausing<void>; size: number }[] = [];
  let size = 0;
  const workUntil = (endMs: number): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      if (first.work.next().done === true) size -= waiting.shift()?.size ?? 0;
      if (now() >= endMs) return;
    }
  };
  const turn = (): void => {
    workUntil(now() + TURN_MS);
    if (waiting.length > 0) soon(turn);
  };
  const finish = (): void => workUntil(Number.POSITIVE_INFINITY);
  return {
    add: (work, own) => {
      waiting.push({ work, size: own });
      size += own;
      if (size > MAX_SIZE) finish();
      else if (waiting.length === 1) soon(turn);
    },
    isIdle: () => waiting.length === 0,
    finish,
  };
};

/**
 * A scheduler of starts that take some ms each, as of processes: `start$.pipe(subscribeOn(starts))`. The first start at once; starts that come when
 * those of this turn of the event loop have taken ten ms wait, in order, for later turns. Any delay means a later turn.
 *   schedule  (abcd)      (a to d take 6 ms each)
 *   turn      (ab)(cd)
 */
export const startsInTurns = ({ now, soon }: TurnDeps): SchedulerLike => {
  const waiting: (() => void)[] = [];
  let usedMs = 0;
  let isTurning = false;
  const run = (start: () => void): void => {
    const beganMs = now();
    start();
    usedMs += now() - beganMs;
  };
  const turn = (): void => {
    usedMs = 0;
    try {
      while (waiting.length > 0 && usedMs < TURN_MS) run(waiting.shift() as () => void);
    } finally {
      isTurning = waiting.length > 0 || usedMs > 0; // also if a start throws
      if (isTurning) soon(turn);
    }
  };
  const schedule = <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription => {
    const action = Object.assign(new Subscription(), { schedule: () => action }) as SchedulerAction<T>;
    const start = () => void (action.closed || work.call(action, state));
    if (delay === 0 && usedMs < TURN_MS && waiting.length === 0) run(start);
    else waiting.push(start);
    if (!isTurning) soon(turn);
    isTurning = true;
    return action;
  };
  return { now, schedule };
};

/**
 * Begins work for each subscriber, and emits its result: at once if it takes less than ten ms, else after turns of `starts`. Unsubscribing ends the work, with
 * its `finally`.
 *   work  a-bR    (a and b take 10 ms)
 *   turn  A-B-
 *   out   --R|
 */
export const inTurns = <T>(starts: SchedulerLike, begin: () => Pausing<T>): Observable<T> =>
  defer(() => {
    const work = begin();
    const turn$ = defer(() => of(workFor(starts, work)));
    return turn$.pipe(
      expand((step) => (step.done === true ? EMPTY : turn$.pipe(subscribeOn(starts, 1)))),
      skipWhile(({ done }) => done !== true),
      map(({ value }) => value as T),
      finalize(() => work.return(undefined as never)),
    );
  });

const workFor = <T>({ now }: SchedulerLike, work: Pausing<T>): IteratorResult<void, T> => {
  const endMs = now() + TURN_MS;
  let step = work.next();
  while (step.done !== true && now() < endMs) step = work.next();
  return step;
};
