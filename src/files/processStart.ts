/**
 * When a process began, as a text that no later process of the same id has. Own code: it is one field of a file; packages that describe processes
 * report how long one has run, which differs from call to call.
 */
import type { FileSystem } from './fileSystem';

/** @param isAlive whether there is a process of this id */
export type ProcessDeps = {
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync'>;
  isAlive: (pid: number) => boolean;
};

const STAT_BYTES = 1024;
/** Source: proc(5), /proc/PID/stat; counted from after the name, which may hold anything. */
const STATE_AT = 0;
const START_AT = 19;

/**
 * The start of a process in ticks since the machine started, or '?' where the system has no /proc; undefined where there is none
 * of this id. A zombie has ended.
 */
export const processStart =
  ({ fs, isAlive }: ProcessDeps) =>
  (pid: number): string | undefined => {
    if (!isAlive(pid)) return undefined;
    const fields = statOf(fs, pid);
    if (fields === undefined) return '?';
    return fields[STATE_AT] === 'Z' ? undefined : fields[START_AT];
  };

const statOf = (fs: ProcessDeps['fs'], pid: number): string[] | undefined => {
  try {
    const fd = fs.openSync(`/proc/${pid}/stat`, 'r');
    const bytes = Buffer.alloc(STAT_BYTES);
    try {
      const text = bytes.toString('latin1', 0, fs.readSync(fd, bytes, 0, STAT_BYTES, 0));
      return text.slice(text.lastIndexOf(')') + 2).split(' ');
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return undefined; // there is no /proc here, or the process has just ended
  }
};
