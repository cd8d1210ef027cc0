/** Holds the folder of this machine that a process is to start in. */
import { of } from 'rxjs';
import type { HoldFolder } from '../../executor';
import { pinPath, sandboxFiles } from './sandboxFiles';

/**
 * Linux: the folder is opened, found without following a link, and processes are started in what is open. Elsewhere the path is checked right before the
 * start: a link that comes in the microseconds between is not noticed.
 */
export const holdFolder = ({ platform, pid }: { platform: string; pid: number }): HoldFolder =>
  platform === 'linux'
    ? (path) => of(pinPath({ pid })(path))
    : (path) => of(sandboxFiles.realpath(path) === path ? { path, release: () => {} } : undefined);
