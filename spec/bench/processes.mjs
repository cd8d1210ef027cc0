/** Owns facts about processes: time, memory, CPU. Memory and CPU come from /proc; elsewhere they are n/a. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

export const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

/** Milliseconds of one clock for all threads. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

/** Gives undefined if the process is gone or the system has no /proc. */
const orNothing = (read) => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

const childrenOf = (pid) =>
  orNothing(() =>
    readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    ),
  ) ?? [];

const stdinOf = (pid) => orNothing(() => readlinkSync(`/proc/${pid}/fd/0`));

/** The server behind a launcher (npx, sh -c): the descendant that holds the same stdin. */
export const serverPid = (pid) => {
  const stdin = stdinOf(pid);
  const inner = stdin === undefined ? undefined : childrenOf(pid).find((child) => stdinOf(child) === stdin);
  return inner === undefined ? pid : serverPid(inner);
};

/** { now, peak } resident memory in MB. The kernel updates the peak late, so it is never below now. */
export const memoryMb = (pid) => {
  const status = orNothing(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  const mb = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return { now: mb('VmRSS'), peak: Math.max(mb('VmRSS'), mb('VmHWM')) };
};

/** CPU time so far, user and system, all threads, in ms; it moves in steps of 10. */
export const cpuMs = (pid) => {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return Number.NaN;
  const after = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(after[11]) + Number(after[12])) * 10;
};

export const machine = () => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  platform: `${process.platform}-${process.arch}`,
  node: process.version,
});

export const load = () => Number(loadavg()[0].toFixed(2));
