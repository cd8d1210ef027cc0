/** Ends a process group: at once, or step by step. */
import type { Grace } from '../../protocol/exec/process';

/** No process is left (ESRCH), or only zombies, or processes of another user (EPERM; macOS reports zombies so). */
const BEYOND_REACH = ['ESRCH', 'EPERM'];

/** Sends a signal to every process of the group. */
export const signalGroup = (group: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if (!BEYOND_REACH.includes((error as NodeJS.ErrnoException).code as string)) throw error;
  }
};

/**
 * Ends a group: closes its input, after a while sends SIGTERM, after another SIGKILL. Without grace it is killed at once.
 * Returns what stops the wait.
 */
export const endGroup = (group: number, closeInput: () => void, grace: Grace | undefined): (() => void) => {
  if (grace === undefined) {
    signalGroup(group, 'SIGKILL');
    return () => {};
  }
  closeInput();
  const timers = [
    setTimeout(() => signalGroup(group, 'SIGTERM'), grace.inputMs),
    setTimeout(() => signalGroup(group, 'SIGKILL'), grace.inputMs + grace.termMs),
  ];
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
};
