/** The end of a child's process group: requested, with grace, or because the child was unsubscribed. */
import { defer, type Observable, of } from 'rxjs';
import type { Grace } from '../protocol/exec';
import { descendantsOf, killAll, type ProcessIdentity } from './descendants';
import { endGroup, signalGroup } from './processGroup';
import type { WatchGroup } from './watchGroup';

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

/** What has left the group ends with the child where that was ended, or is a server, which has `grace`. */
type Ending = { stop: () => void; left: readonly ProcessIdentity[] };

/**
 * When the child has closed, or is unsubscribed, what is left of its group is killed; with grace the child may end by itself first.
 * With a child that was ended by us, the processes that left its group are killed too.
 */
export const groupLife = (deps: GroupLifeDeps): GroupLife => {
  const { group, grace, watch, drain } = deps;
  const forget = watch(group, grace === undefined ? 'group' : 'server');
  let phase: 'running' | 'exited' | 'over' = 'running';
  let isLeft = false;
  let ending: Ending | undefined; // once its end was requested
  const end = (): void => {
    ending ??= beginEnding(deps);
  };
  const finish = (): void => {
    if (phase === 'over') return;
    phase = 'over';
    finishEnding(deps, ending);
    forget();
  };
  return {
    isRunning: () => phase === 'running',
    interrupt: () => defer(() => of(phase === 'over' ? undefined : signalGroup(group, 'SIGINT'))),
    terminate: () =>
      defer(() => {
        if (phase !== 'over') end();
        return of(phase === 'running');
      }),
    exited: () => {
      if (phase === 'running') phase = 'exited';
    },
    closed: () => isLeft && finish(),
    leave: () => {
      if (phase !== 'running') return finish();
      if (grace === undefined) {
        ending ??= { left: descendantsOf(group), stop: () => {} };
        return finish();
      }
      isLeft = true;
      drain();
      end();
    },
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
