/** Holds the folder of this machine that a process is to start in. */
import { closeSync } from 'node:fs';
import { of } from 'rxjs';
import { ownProc } from '../../io/processes/ownProc';
import type { HeldFolder, HoldFolder } from '../inRealFolder';
import { openIfThere } from './handles';
import { sandboxFiles } from './sandboxFilesHere';

/**
 * Linux: the folder is opened, found without following a link, and processes are started in what is open. Elsewhere, and without /proc, the path is
 * checked right before the start: a link that comes in the microseconds between is not noticed.
 */
export const holdFolder =
  ({ platform, proc = ownProc }: { platform: string; proc?: typeof ownProc }): HoldFolder =>
  (path) =>
    of(platform === 'linux' && proc() !== undefined ? opened(path) : unmoved(path));

/** A child enters its folder before its exec, with the descriptors of its parent: for both `/proc/self` is their own. */
const opened = (path: string): HeldFolder | undefined => {
  const fd = openIfThere(path);
  return fd === undefined ? undefined : { path: `/proc/self/fd/${fd}`, release: () => closeSync(fd) };
};

const unmoved = (path: string): HeldFolder | undefined =>
  sandboxFiles.realpath(path) === path ? { path, release: () => {} } : undefined;
