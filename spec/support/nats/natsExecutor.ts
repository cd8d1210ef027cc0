/** Owns real executors behind NATS, as built. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { commandLine } from '../daemon/peer';

const started = new Set<ChildProcess>();

/** Starts an executor at the servers of an address; resolves when it serves. */
export const startExecutor = (address: string, name: string, ...args: string[]): Promise<ChildProcess> =>
  startExecutorIn({}, address, name, ...args);

/** The same with variables of its own. */
export const startExecutorIn = async (
  env: NodeJS.ProcessEnv,
  address: string,
  name: string,
  ...args: string[]
): Promise<ChildProcess> => {
  const [program, argv] = commandLine('exec-server', '--listen', address, '--name', name, ...args);
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  started.add(child);
  const errors: string[] = [];
  child.stderr?.on('data', (text) => errors.push(String(text)));
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the executor ended with ${code}: ${errors.join('')}`)));
  });
  return child;
};

/** Ends one as a crash does. */
export const killExecutor = async (child: ChildProcess): Promise<void> => {
  started.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
};

export const endExecutors = async (): Promise<void> => {
  await Promise.all([...started].map(killExecutor));
};
