/**
 * How this process is named in /proc: the one place that knows. A /proc that was mounted outside of a PID namespace lists its processes under other numbers
 * than the system calls take, so the entry of `process.pid` may be another process.
 */
import { readlinkSync } from 'node:fs';

type OwnProcDeps = {
  /** Where a link leads, throws if there is none. */
  readlink: (path: string) => string;
  /** The pid of this process, as kill takes it. */
  pid: number;
};

const NUMBER = /^\d+$/;

const numberIn = ({ readlink }: Pick<OwnProcDeps, 'readlink'>): string | undefined => {
  try {
    return [readlink('/proc/self')].find((target) => NUMBER.test(target));
  } catch {
    return undefined; // no /proc, or this process is not in it
  }
};

/**
 * The entry of this process in /proc, by which its children find it too; undefined if there is none. Each process that resolves `/proc/self`
 * gets its own entry, so that name is only for this process, and for a child up to its exec.
 * Source: proc(5), proc_pid_self in fs/proc/self.c: the number belongs to the PID namespace for which /proc was mounted.
 */
export const ownProc = (deps: Pick<OwnProcDeps, 'readlink'> = { readlink: readlinkSync }): string | undefined => {
  const number = numberIn(deps);
  return number === undefined ? undefined : `/proc/${number}`;
};

/** True if the numbers in /proc are those of system calls, so that processes found there may be signalled. */
export const isProcOfOurs = (deps: OwnProcDeps = { readlink: readlinkSync, pid: process.pid }): boolean =>
  numberIn(deps) === `${deps.pid}`;
