/** A thread store that keeps nothing: threads are written as rollouts are, but to no file. */
import type { PrivateFiles } from '../../files';
import { fileThreads, type ThreadStore } from '../../rollout';

const nothing = (): void => {};

const FILES: PrivateFiles = {
  read: () => undefined,
  open: () => ({ append: nothing, sync: nothing, size: () => 0, close: nothing }),
  replace: nothing,
  move: nothing,
  remove: nothing,
  list: () => [],
  tidy: nothing,
  facts: () => undefined,
  lock: () => ({ kind: 'locked', release: nothing }),
};

/** The store of one connection. */
export const threadsInMemory = (home: string): ThreadStore =>
  fileThreads({
    files: FILES,
    home,
    systemLock: () => undefined,
    version: '0.0.0',
    now: Date.now,
    soon: setImmediate,
    later: nothing,
    failed: nothing,
    recovered: nothing,
  });
