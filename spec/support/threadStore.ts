/** A thread store that keeps nothing but what a spec looks at. */
import { of, throwError } from 'rxjs';
import { type RolloutEntry, ThreadError, type ThreadRecord, type ThreadStore } from '../../src/rollout';

/** What a record received: entries, `turn ends`, `closed`. */
export type Recorded = (RolloutEntry | 'turn ends' | 'closed')[];

export const recordOf = (recorded: Recorded = []): ThreadRecord => ({
  write: (...entries) => void recorded.push(...entries),
  endTurn: () => void recorded.push('turn ends'),
  close: () => void recorded.push('closed'),
  isKept: () => false,
});

const none = () => throwError(() => new ThreadError('no such thread'));

/** A store with the threads that `own` resumes; `begun` holds the records of new threads by id. */
export const storeOf = (own: Partial<ThreadStore> = {}): { store: ThreadStore; begun: Map<string, Recorded> } => {
  const begun = new Map<string, Recorded>();
  const store: ThreadStore = {
    begin: ({ id }) => {
      const recorded: Recorded = [];
      begun.set(id, recorded);
      return recordOf(recorded);
    },
    resume: (ref) =>
      throwError(() => new ThreadError(`Session not found for thread_id: ${ref}. Start one with the tool codex.`)),
    list: () => of([]),
    read: none,
    fork: none,
    archive: none,
    restore: none,
    remove: none,
    close: () => {},
    ...own,
  };
  return { store, begun };
};
