/** The end of a child's process group: requested, with grace, or because the child was unsubscribed. */
import { defer, type Observable, of, type Subject, takeUntil, timer } from 'rxjs';
import type { Grace } from '../../protocol/exec/process';
import type { WatchGroup } from './child';
import { descendantsOf, killAll, type ProcessIdentity } from './descendants';

/**
 * @param group the id of the child, and of its group
 * @param mark of the child's environment, where it has one
 * @param closeInput ends the child's input; @param drain reads and drops its further output
 * @param release closes our ends of its streams, when the group is over
 */
export type GroupLifeDeps = {
  group: number;
  grace: Grace | undefined;
  watch: WatchGroup;
  mark?: string;
  closeInput: () => void;
  drain: () => void;
  release: () => void;
};

/** `exited` and `closed` report the events of the child; `leave` that it is unsubscribed, whatever it does. */
export type GroupLife = {
  isRunning: () => boolean;
  interrupt: () => Observable<void>;
  terminate: () => Observable<boolean>;
  exited: () => void;
  closed: () => void;
  leave: () => void;
};

/** A requested end. `left`: the processes below the child, which are killed with it, even those that have left its group. */
type Ending = { stop: () => void; left: readonly ProcessIdentity[] };

/**
 * When the child has closed, or is unsubscribed, what is left of its group is killed; with grace the child may end by itself first.
 * With a child that was ended by us, the processes that left its group are killed too.
 */
export const groupLife = (deps: GroupLifeDeps): GroupLife => {
  const { group, grace, drain } = deps;
  const ending = openEnding(deps);
  let hasExited = false;
  let isLeft = false;
  const isRunning = () => !hasExited && !ending.isOver();
  return {
    isRunning,
    interrupt: () => defer(() => of(ending.isOver() ? undefined : signalGroup(group, 'SIGINT'))),
    terminate: () =>
      defer(() => {
        if (!ending.isOver()) ending.begin();
        return of(isRunning());
      }),
    exited: () => {
      hasExited = true;
    },
    closed: () => isLeft && ending.finish(),
    leave: () => {
      if (!isRunning()) return ending.finish();
      if (grace === undefined) return ending.kill();
      isLeft = true;
      drain();
      ending.begin();
    },
  };
};

/** `begin` gives the group its grace, `kill` none; `finish` when the child is over. */
const openEnding = (deps: GroupLifeDeps) => {
  const { group, grace, watch } = deps;
  const forget = watch(group, grace === undefined ? 'group' : 'server');
  let ending: Ending | undefined; // once the end was requested
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    finishEnding(deps, ending);
    forget();
  };
  return {
    isOver: () => isOver,
    begin: (): void => {
      ending ??= beginEnding(deps);
    },
    kill: (): void => {
      ending ??= { left: descendantsOf(group), stop: () => {} };
      finish();
    },
    finish,
  };
};

/** The processes below the child are noted before it is signalled: what outlives it is nobody's child then. */
const beginEnding = ({ group, closeInput, grace }: GroupLifeDeps): Ending => {
  const left = descendantsOf(group);
  return { left, stop: endGroup(group, closeInput, grace) };
};

const finishEnding = ({ group, grace, watch, mark, release }: GroupLifeDeps, ending: Ending | undefined): void => {
  ending?.stop();
  release();
  signalGroup(group, 'SIGKILL');
  if (ending === undefined && grace === undefined) return;
  killAll(ending?.left ?? []);
  if (mark !== undefined) watch.marks?.kill(mark);
};

/** No process is left (ESRCH), or only zombies, or processes of another user (EPERM; macOS reports zombies so). */
const BEYOND_REACH = ['ESRCH', 'EPERM'];

/** Sends a signal to every process of the group. */
export const signalGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!BEYOND_REACH.includes((error as NodeJS.ErrnoException).code as string)) throw error;
  }
};

/**
 * Ends a group: closes its input, after a while sends SIGTERM, after another SIGKILL. Without grace it is killed at once.
 * Returns what stops the wait.
 */
export const endGroup = (group: number, closeInput: () => void, grace: Grace | undefined): (() => void) => {
  if (grace === undefined) {
    signalGroup(group, 'SIGKILL');
    return () => {};
  }
  closeInput();
  const timers = [
    setTimeout(() => signalGroup(group, 'SIGTERM'), grace.inputMs),
    setTimeout(() => signalGroup(group, 'SIGKILL'), grace.inputMs + grace.termMs),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
};

/**
 * @param over$ ends what is connected; @param none$ completes once no process is left
 * @param waitMs how long processes may take that are given the time; what is left then is ended by its watcher
 */
type EndProcessesDeps = { over$: Subject<void>; none$: Observable<never>; waitMs: number };

/**
 * Ends all, and completes when no process is left, or after `waitMs`. Emits nothing.
 *   over$  o
 *   none$  ----|
 *   out    ----|
 */
export const endProcesses = ({ over$, none$, waitMs }: EndProcessesDeps): Observable<never> =>
  defer(() => {
    over$.next();
    return none$.pipe(takeUntil(timer(waitMs)));
  });
