/** The end of a child's process group: requested, with grace, or because the child was unsubscribed. */
import { defer, type Observable, of, type Subject, takeUntil, timer } from 'rxjs';
import type { Grace, ProcessSpec } from '../../protocol/exec/process';
import { inputFirst } from '../../streams/time/limits';
import type { WatchGroup } from './child';
import { descendantsOf, killAll, type ProcessIdentity } from './descendants';
import { endTree } from './spawnHere';

export type GroupLifeDeps = {
  /** The id of the child, and of its group. */
  group: number;
  grace: Grace | undefined;
  watch: WatchGroup;
  /** The mark of the child's environment, if it has one. */
  mark?: string;
  /** The variables of the child. */
  env?: ProcessSpec['env'];
  /** Ends the child's input. */
  closeInput: () => void;
  /** Reads and drops its further output. */
  drain: () => void;
  /** Closes our ends of its streams, when the group is over. */
  release: () => void;
};

export type GroupLife = {
  isRunning: () => boolean;
  interrupt: () => Observable<void>;
  terminate: () => Observable<boolean>;
  /** Reports that the child has exited. */
  exited: () => void;
  /** Reports that its streams are closed. */
  closed: () => void;
  /** Reports that the child is unsubscribed, whatever it does. */
  leave: () => void;
};

type Ending = {
  stop: () => void;
  /** The processes below the child, which are killed with it, even if they have left its group. */
  left: readonly ProcessIdentity[];
};

/** When the child has closed, or is unsubscribed, what is left of its group is killed; with grace the child may end by itself first. */
export const groupLife = (deps: GroupLifeDeps): GroupLife => {
  const { grace, drain } = deps;
  let hasExited = false;
  let isLeft = false;
  const signal: SendSignal = (name) => (hasExited && !hasGroups() ? undefined : signalTree(deps, name));
  const ending = openEnding({ ...deps, signal });
  const isRunning = () => !hasExited && !ending.isOver();
  return {
    isRunning,
    interrupt: () => defer(() => of(ending.isOver() ? undefined : signal('SIGINT'))),
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

/** Windows has none, and soon gives the id of a process that has exited to another. */
const hasGroups = (): boolean => process.platform !== 'win32';

const signalTree = ({ group, env }: GroupLifeDeps, name: NodeJS.Signals): void =>
  hasGroups() ? signalGroup(group, name) : endTree(group, env);

type EndingDeps = GroupLifeDeps & { signal: SendSignal };

/** `begin` gives the group its grace, `kill` none; `finish` when the child is over. */
const openEnding = (deps: EndingDeps) => {
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
const beginEnding = ({ group, signal, closeInput, grace }: EndingDeps): Ending => {
  const left = descendantsOf(group);
  return { left, stop: endGroup(signal, closeInput, grace) };
};

const finishEnding = ({ signal, grace, watch, mark, release }: EndingDeps, ending: Ending | undefined): void => {
  ending?.stop();
  release();
  signal('SIGKILL');
  if (ending === undefined && grace === undefined) return;
  killAll(ending?.left ?? []);
  if (mark !== undefined) watch.marks?.kill(mark);
};

/** No process is left (ESRCH), or only zombies, or processes of another user (EPERM; macOS reports zombies so). */
const BEYOND_REACH = ['ESRCH', 'EPERM'];

/** Sends a signal to every process of a group. */
type SendSignal = (signal: NodeJS.Signals) => void;

/** Sends a signal to every process of the group. */
export const signalGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!BEYOND_REACH.includes((error as NodeJS.ErrnoException).code as string)) throw error;
  }
};

/** Ends a group: closes its input, after a while sends SIGTERM, after another SIGKILL. Without grace it is killed at once. Returns what stops the wait. */
export const endGroup = (signal: SendSignal, closeInput: () => void, grace: Grace | undefined): (() => void) => {
  if (grace === undefined) {
    signal('SIGKILL');
    return () => {};
  }
  closeInput();
  const timers = [
    setTimeout(() => signal('SIGTERM'), grace.inputMs),
    setTimeout(() => signal('SIGKILL'), grace.inputMs + grace.termMs),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
};

type EndProcessesDeps = {
  /** Ends what is connected. */
  over$: Subject<void>;
  /** Completes once no process is left. */
  none$: Observable<never>;
  /** How long processes may take to end; the watcher ends what is left then. */
  waitMs: number;
};

/**
 * Ends all, and completes when no process is left, or after `waitMs`. Emits nothing.
 *   over$  o
 *   none$  ----|
 *   out    ----|
 */
export const endProcesses = ({ over$, none$, waitMs }: EndProcessesDeps): Observable<never> =>
  defer(() => {
    over$.next();
    return none$.pipe(takeUntil(timer(waitMs, inputFirst)));
  });
