/** Port: where threads are kept beyond the life of a process. */
import type { Observable } from 'rxjs';
import type { Awaitable } from '../streams/awaitable';
import type { OwnSettings } from './lines/rolloutEntry';
import type { StoredThread } from './lines/storedThread';
import type { ThreadSummary } from './listing/threadSummary';
import type { ThreadRecord } from './threadRecord';

/** A thread that begins. `baseInstructions`: those that its caller gave. */
export type ThreadStart = { id: string; cwd: string; provider: string; baseInstructions?: string; own: OwnSettings };

/** A stored thread that this process now has for itself, until `record.close`. */
export type ResumedThread = StoredThread & { record: ThreadRecord };

/** @param skip how many of the newest are left out; @param limit the most that are listed; @param archived lists the archived ones instead of the others */
export type ThreadQuery = { skip?: number; limit: number; archived: boolean };

/**
 * `begin` returns the record or emits it; nothing is written before its first line; the thread is this process's own until `record.close`. `ref` is an id
 * or the beginning of one. `resume`, `archive`, `restore` and `remove` error where another process uses the thread, `restore` also where it is not
 * archived. `fork` makes a thread with the same past. `list`: newest first. Each emits once; errors, or throws, ThreadError or FileError. `close`
 * begins at once to give all threads back, and completes when other processes may have them.
 */
export type ThreadStore = {
  begin: (start: ThreadStart) => Awaitable<ThreadRecord>;
  resume: (ref: string) => Observable<ResumedThread>;
  list: (query: ThreadQuery) => Observable<ThreadSummary[]>;
  read: (ref: string) => Observable<{ summary: ThreadSummary; text: string }>;
  fork: (ref: string, id: string) => Observable<ThreadSummary>;
  archive: (ref: string) => Observable<ThreadSummary>;
  restore: (ref: string) => Observable<ThreadSummary>;
  remove: (ref: string) => Observable<ThreadSummary>;
  close: () => Observable<never>;
};
