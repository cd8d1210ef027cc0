/** Ends the process when its event loop hangs: it then reads neither the end of its input nor a signal, and none of its limits fires. */
import { lazy } from '../../streams/lazy/lazy';

const threads = lazy(() => require('node:worker_threads') as typeof import('node:worker_threads'));

/** @param tickMs how often it looks; @param busyMs of a processor without a turn of the loop; @param orphanTicks the same, once the client is gone */
export type LoopLimits = { tickMs: number; busyMs: number; orphanTicks: number };

/** A call takes no turn of the loop for a fraction of a second at most. */
const LIMITS: LoopLimits = { tickMs: 1_000, busyMs: 15_000, orphanTicks: 3 };

/**
 * Starts a thread that looks at the loop, once. The thread takes 9 MB, so the first call starts it. It asks the loop for an answer only while the
 * process is busy, or once its parent is gone. Time of a processor counts, so a process that is stopped, or waits for a disk, is left alone. It
 * ends the process by SIGKILL; the watcher of the commands then ends these. If there is no room for a thread, or Node's permission model refuses one,
 * the loop is not watched, and calls go on.
 */
export const watchLoop = lazy(() => {
  try {
    const thread = new (threads().Worker)(LOOP_SCRIPT, {
      eval: true,
      env: {},
      workerData: { ...LIMITS, parent: process.ppid },
    });
    thread.on('message', () => thread.postMessage('')).on('error', () => {});
    thread.unref();
    return 'watched';
  } catch {
    return 'not watched';
  }
});

/** What the thread runs. Its data: the limits, and `parent`, the process id of the parent. */
export const LOOP_SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { tickMs, busyMs, orphanTicks, parent } = workerData;
let [before, asked, busy] = [process.cpuUsage(), 0, 0];
parentPort.on('message', () => {
  asked = 0;
  busy = 0;
});
const end = () => {
  try {
    require('node:fs').writeSync(2, 'codex-rx: the event loop does not turn any more, so the process ends\\n');
  } catch {}
  process.kill(process.pid, 'SIGKILL');
};
setInterval(() => {
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  const used = (user + system) / 1000;
  const isOrphan = process.ppid !== parent;
  if (asked > 0) busy += used;
  if (busy > busyMs || (isOrphan && asked > orphanTicks)) end();
  if (asked === 0 && used < tickMs / 20 && !isOrphan) return;
  asked += 1;
  if (asked === 1) parentPort.postMessage('');
}, tickMs);
`;
