import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LOOP_SCRIPT, type LoopLimits } from '../../src/cli/serve/watchLoop';

/** A process with such a thread; its loop does `work` as soon as the thread runs. */
const programOf = (limits: LoopLimits, work: string): string => `
  const { Worker } = require('node:worker_threads');
  const options = { eval: true, workerData: { ...${JSON.stringify(limits)}, parent: process.ppid } };
  const thread = new Worker(${JSON.stringify(LOOP_SCRIPT)}, options);
  thread.on('message', () => thread.postMessage(''));
  thread.once('online', () => { ${work} });`;

const LIMITS = { tickMs: 20, busyMs: 200, orphanTicks: 1_000_000 };
const HANGS = 'for (;;);';
const WORKS = `let left = 400; (function turn() {
  const end = Date.now() + 1;
  while (Date.now() < end);
  if (left-- > 0) setImmediate(turn); else process.exit(7);
})()`;

const ended = async (program: string): Promise<unknown[]> => {
  const child = spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
  const [code, signal] = await once(child, 'exit');
  return [code, signal];
};

describe('watchLoop', () => {
  it('ends a process whose loop hangs', async () => {
    expect(await ended(programOf(LIMITS, HANGS))).toEqual([null, 'SIGKILL']);
  });

  it('leaves a process alone that is busy, and whose loop turns', async () => {
    expect(await ended(programOf(LIMITS, WORKS))).toEqual([7, null]);
  });

  it('ends a process whose loop hangs and whose parent is gone, without a limit of processor time', async () => {
    const limits = { tickMs: 20, busyMs: 1_000_000, orphanTicks: 3 };
    const parent = `
      const { spawn } = require('node:child_process');
      const options = { stdio: ['ignore', 'inherit', 'inherit'], detached: true };
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(programOf(limits, `console.log('on'); ${HANGS}`))}], options);
      child.unref();
      process.stdin.once('data', () => process.exit());`;
    const child = spawn(process.execPath, ['-e', parent], { stdio: 'pipe' });
    await once(child.stdout, 'data');
    child.stdin.write('go'); // the pipe closes when the last process that has it ends
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
  });
});
