/** Owns looking at processes from outside: who lives, how much memory they hold, how long to wait for a change. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const PATIENCE_MS = 40_000;
const LOOK_EVERY_MS = 20;

/** Looks again and again until `look` gives something other than undefined or false. */
export const until = async <T>(
  look: () => T | undefined | false,
  what: string,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  for (let left = patienceMs; left > 0; left -= LOOK_EVERY_MS) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
  }
  throw new Error(`not within ${patienceMs / 1000} s: ${what}`);
};

/** A number that has stopped changing: it stays the same for a while. */
export const settled = async (look: () => number): Promise<number> => {
  const before = look();
  for (let times = 0; times < 10; times += 1) {
    await new Promise((wake) => setTimeout(wake, LOOK_EVERY_MS));
    if (look() !== before) return settled(look);
  }
  return before;
};

/** True while a process runs; one that ended and was not waited for yet is dead. */
export const isAlive = (pid: number | undefined): boolean => {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && !existsSync('/proc/self');
  }
};

/** The process ids in a file that a command writes, once there are `count` of them. */
export const pidsIn = (file: string, count: number): Promise<number[]> =>
  until(() => {
    const pids = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number) : [];
    return pids.length >= count && pids;
  }, `${count} process ids in ${file}`);

/** Waits until none of these processes runs. */
export const gone = (pids: readonly (number | undefined)[], patienceMs?: number): Promise<true> =>
  until(() => pids.every((pid) => !isAlive(pid)) || undefined, `the end of processes ${pids}`, patienceMs);

const fileOf = (pid: number, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return ''; // it is gone
  }
};

/** The processes with these words on their command line (NUL between arguments); Linux only. */
const withWords = (words: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => fileOf(pid, 'cmdline').includes(words));

/** Whether a process runs that has this word on its command line; Linux only. */
export const isRunning = (word: string): boolean => withWords(word).some(isAlive);

/** The processes with these words on their command line (NUL between arguments) and this HOME; Linux only. */
export const running = (words: string, home: string): number[] =>
  withWords(words).filter((pid) => fileOf(pid, 'environ').split('\0').includes(`HOME=${home}`));

/** The process that started this one; from `ps` if there is no /proc, as `ps` is not on every Linux. */
export const parentOf = (pid: number): number => {
  const file = `/proc/${pid}/status`;
  return Number(
    existsSync(file)
      ? /^PPid:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }),
  );
};

/** Resident memory in MB; from `ps` if there is no /proc. */
export const memoryMb = (pid: number): number => {
  const file = `/proc/${pid}/status`;
  const kb = existsSync(file)
    ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kb) / 1024;
};
