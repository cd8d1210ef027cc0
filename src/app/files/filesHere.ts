/** Wires the private files of this program to this machine. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { hostname } from 'node:os';
import { type Holder, type PrivateFiles, privateFiles, processStart } from '../../files';

/** `files`: the private files below `root`, an absolute path; `self`: the process that their locks name; `startOf`: when a process began. */
export const filesHere = (
  root: string,
  pid: number,
): { files: PrivateFiles; self: Holder; startOf: (pid: number) => string | undefined } => {
  const startOf = processStart({ fs, isAlive });
  const self = { pid, start: startOf(pid) ?? '', host: hostname() };
  const newName = () => randomUUID().slice(-12); // all of it random
  const deps = { fs, root, self, startOf, newName, now: Date.now, afterTask: queueMicrotask };
  return { files: privateFiles(deps), self, startOf };
};

/** True also for a process of another user, which cannot be signalled. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
