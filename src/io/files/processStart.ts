/**
 * When a process began, as a text that no later process of the same id has. Own code: it is one field of a file; packages that describe processes
 * report how long one has run, which differs from call to call.
 */
import type { FileSystem } from './fileSystem';
import { readSystem } from './readSystem';

/** @param pid of this process; @param isThere whether there is a process of this id */
export type ProcessDeps = {
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync' | 'readlinkSync'>;
  pid: number;
  isThere: (pid: number) => boolean;
};

/** Source: proc(5), /proc/PID/stat; counted from after the name, which may hold anything. */
const STATE_AT = 0;
const START_AT = 19;

/**
 * The start of a process in ticks since the machine started; undefined if there is none of this id. A zombie has ended. '?' if the system has no /proc, or
 * only that of an outer pid namespace, which has other ids for the same processes.
 */
export const processStart =
  ({ fs, pid: own, isThere }: ProcessDeps) =>
  (pid: number): string | undefined => {
    if (pid !== own && !isThere(pid)) return undefined;
    if (pid !== own && isForeign(fs, own)) return '?';
    const stat = readSystem(fs, `/proc/${pid === own ? 'self' : pid}/stat`);
    if (stat === undefined) return '?';
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[STATE_AT] === 'Z' ? undefined : fields[START_AT];
  };

/** Whether /proc counts processes in another way than this process does. */
const isForeign = (fs: ProcessDeps['fs'], own: number): boolean => {
  try {
    return fs.readlinkSync('/proc/self') !== String(own);
  } catch {
    return false; // there is none
  }
};
