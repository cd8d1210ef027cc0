/** The processes below a process, as Linux lists them. Own code: packages start `ps` for each look, and do not name the start of a process. */
import { readdirSync, readFileSync } from 'node:fs';
import { isProcOfOurs } from './ownProc';

/** A process, and when it started, in ticks since boot: its id may belong to another process later. */
export type ProcessIdentity = { pid: number; startTicks: string };

/** The children of a process, their children and so on; none if they cannot be read, or if /proc has other numbers than `pid` is one of. */
export const descendantsOf = (pid: number): ProcessIdentity[] => (isProcOfOurs() ? below(pid) : []);

const below = (pid: number): ProcessIdentity[] =>
  childrenOf(pid).flatMap((child) => {
    const identity = identityOf(child);
    return identity ? [identity, ...below(child)] : [];
  });

/** Kills the processes that are still the same. */
export const killAll = (identities: readonly ProcessIdentity[]): void => {
  for (const { pid, startTicks } of identities) {
    if (identityOf(pid)?.startTicks !== startTicks) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {} // it ended meanwhile, or belongs to another user
  }
};

/** The resident memory of a process and of all below it, in bytes; undefined if it is not there, or cannot be read. */
export const memoryOf = (pid: number): number | undefined => {
  if (!isProcOfOurs()) return undefined;
  const [own, ...others] = [pid, ...below(pid).map((one) => one.pid)].map(residentOf);
  return own === undefined ? undefined : others.reduce<number>((sum, bytes = 0) => sum + bytes, own);
};

/** A process that has ended, and still has its number, has no such line. Source: proc(5), status. */
const residentOf = (pid: number): number | undefined => {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
};

const childrenOf = (pid: number): number[] =>
  tasksOf(pid).flatMap((task) =>
    (read(`/proc/${pid}/task/${task}/children`) ?? '')
      .split(' ')
      .filter((child) => child.trim() !== '')
      .map(Number),
  );

const tasksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it ended, or this is not Linux
  }
};

/** Field 22 of stat. The name of the program, in brackets, may hold spaces and brackets. Source: proc(5). */
const identityOf = (pid: number): ProcessIdentity | undefined => {
  const startTicks = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')[19];
  return startTicks === undefined ? undefined : { pid, startTicks };
};

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // it ended
  }
};
