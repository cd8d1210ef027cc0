/** Owns ending a process group: at once, or step by step. */
import type { Grace } from '../protocol/exec';

/** Nobody is left (ESRCH), or only the dead, or another user's processes (EPERM; macOS says so of zombies). */
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
 * Ends a group: closes its input, after a while asks it to end, after another kills it. Without grace it is killed at once.
 * Returns what breaks off the waiting.
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
