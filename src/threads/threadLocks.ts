/** One process per thread. */
import { join } from 'node:path';
import { takenText } from '../io/files/lockFile';
import type { RolloutPlace } from './listing/rolloutFiles';
import { ThreadError } from './threadError';

/** @param systemLock the process that holds Codex's kind of lock on a file, where the system reveals it */
export type LockPlace = RolloutPlace & { systemLock: (path: string) => number | undefined };

/**
 * Takes a thread for this process and returns what gives it back. Throws ThreadError where another process has it, or this one.
 * Source: codex 0.169.0, which locks a file per thread as long as it has the thread loaded; releases before take no lock.
 */
export const takeThread = ({ files, home, systemLock }: LockPlace, id: string): (() => void) => {
  const codex = systemLock(join(home, 'thread-writer-locks', `${id}.lock`));
  if (codex !== undefined) {
    throw new ThreadError(`The thread ${id} is in use by Codex (process ${codex}). Close it there, and call again.`);
  }
  const lock = files.lock(join(home, 'codex-rx', 'locks', `${id}.lock`));
  if (lock.kind === 'locked') return lock.release;
  throw new ThreadError(
    lock.state === 'self'
      ? `The thread ${id} is open in this server. Continue it by its whole id; archive it after thread/unsubscribe, or when the server has ended.`
      : `The thread ${id} is in use ${takenText(lock)}.`,
  );
};
