/** Owns the end of a child's process group: asked for, with grace, or because nobody listens any more. */
import { defer, type Observable, of } from 'rxjs';
import type { Grace } from '../protocol/exec';
import { endGroup, signalGroup } from './processGroup';
import type { WatchGroup } from './watchGroups';

/**
 * @param closeInput tells the child that no more comes
 * @param drain reads and drops what it still says; @param letGo closes our ends, when the group is over
 */
export type GroupLifeDeps = {
  group: number;
  grace: Grace | undefined;
  watch: WatchGroup;
  closeInput: () => void;
  drain: () => void;
  letGo: () => void;
};

/** `exited` and `closed` are told by who hears of them; `leave` when nobody listens any more, whatever the child does. */
export type GroupLife = {
  isRunning: () => boolean;
  interrupt: () => Observable<void>;
  terminate: () => Observable<boolean>;
  exited: () => void;
  closed: () => void;
  leave: () => void;
};

/** What is left of the group when its child has closed, or is left, is killed; with grace the child may end by itself first. */
export const groupLife = ({ group, grace, watch, closeInput, drain, letGo }: GroupLifeDeps): GroupLife => {
  const forget = watch(group, grace === undefined ? 'group' : 'server');
  const life = { isRunning: true, isOver: false, isLeft: false };
  let stopWaiting: (() => void) | undefined;
  const end = () => {
    stopWaiting ??= endGroup(group, closeInput, grace);
  };
  const finish = () => {
    if (life.isOver) return;
    life.isOver = true;
    stopWaiting?.();
    letGo();
    signalGroup(group, 'SIGKILL');
    forget();
  };
  return {
    isRunning: () => life.isRunning,
    interrupt: () => defer(() => of(life.isOver ? undefined : signalGroup(group, 'SIGINT'))),
    terminate: () =>
      defer(() => {
        if (!life.isOver) end();
        return of(life.isRunning);
      }),
    exited: () => {
      life.isRunning = false;
    },
    closed: () => life.isLeft && finish(),
    leave: () => {
      if (!life.isRunning || grace === undefined) return finish();
      life.isLeft = true;
      drain();
      end();
    },
  };
};
