/**
 * Lets the open tasks of a server outlive its client. A client that leaves ends the process that it started, by a signal or by SIGKILL, often before it closes
 * the input. So that process only stands in front: the server is its child, in a session of its own, with the same standard streams. When the front is gone,
 * the channel between both closes, and for the server that is the end of its input.
 */
import { spawn } from 'node:child_process';
import { fromEvent, NEVER, type Observable } from 'rxjs';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';

/** Set for the server that stands behind another process; its value is the process id of that. */
const VARIABLE = 'CODEX_RX_BEHIND';

/** How long the front waits for a server without open tasks, once it was asked to end. */
const LEAVE_MS = 1_000;

type Streams = Pick<NodeJS.Process, 'platform' | 'stdin'>;

/** Whether a server can stand behind another process: not on Windows, and not at a terminal, which gives its input to one session only. */
const canStandBehind = ({ platform, stdin }: Streams): boolean => platform !== 'win32' && !stdin.isTTY;

/** Starts this command line again behind this process, and ends with it; false if this process is the server. A signal only ends the front. */
export const standInFront = (): boolean => {
  if (process.env[VARIABLE] === String(process.ppid) || !canStandBehind(process)) return false;
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
    env: { ...process.env, [VARIABLE]: String(process.pid) },
  });
  child.on('error', ({ message }) => {
    remarkAs('')(`the server cannot be started: ${message}`);
    process.exit(exitCode.failed);
  });
  child.on('exit', (code) => process.exit(code ?? exitCode.failed));
  stopSignal().subscribe(() => {
    if (child.connected) child.disconnect();
    setTimeout(() => process.exit(exitCode.ok), LEAVE_MS);
  });
  return true;
};

/** Emits when the process in front is gone. Commands of the agent do not see that there is one. */
export const frontLeft = (): Observable<unknown> => {
  delete process.env[VARIABLE];
  process.channel?.unref();
  return process.channel === undefined ? NEVER : fromEvent(process, 'disconnect');
};
