/** Ends a process whose event loop hangs. */
import { lazy } from '../../streams/lazy';

const threads = lazy(() => require('node:worker_threads') as typeof import('node:worker_threads'));

export type LoopLimits = {
  /** How often the thread looks. */
  tickMs: number;
  /** Processor time without a turn of the loop, before the process ends. */
  busyMs: number;
  /** The same in ticks, once the client is gone. */
  orphanTicks: number;
};

/** A call takes no turn of the loop for a fraction of a second at most. */
const LIMITS: LoopLimits = { tickMs: 1_000, busyMs: 15_000, orphanTicks: 3 };

/**
 * Starts a thread, once, that ends the process if its event loop hangs: such a process reads neither the end of its input nor a signal, and none of its
 * limits fires. The thread takes 9 MB, so the first call starts it. It asks the loop for an answer only while the process is busy, or once its
 * parent is gone. Processor time counts, so a process that is stopped, or waits for a disk, is left alone. It ends the process by SIGKILL; the watcher
 * of the commands then ends these. If there is no room for a thread, or Node's permission model refuses it, the loop is not watched.
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
