/** A thread store that keeps nothing but what a spec looks at. */
import { EMPTY, of, throwError } from 'rxjs';
import type { RolloutEntry } from '../../src/threads/lines/rolloutEntry';
import { ThreadError } from '../../src/threads/threadError';
import { OWN_UNTIL_CLOSED, type ThreadRecord } from '../../src/threads/threadRecord';
import type { ThreadStore } from '../../src/threads/threadStore';

/** What a record received: entries, `turn ends`, `closed`. */
export type Recorded = (RolloutEntry | 'turn ends' | 'closed')[];

export const recordOf = (recorded: Recorded = []): ThreadRecord => ({
  write: (...entries) => void recorded.push(...entries),
  endTurn: () => {
    recorded.push('turn ends');
    return EMPTY;
  },
  close: () => {
    recorded.push('closed');
    return EMPTY;
  },
  isKept: () => false,
  ...OWN_UNTIL_CLOSED,
});

const none = () => throwError(() => new ThreadError('no such thread'));

/** A store with the threads that `own` resumes; `begun` holds the records of new threads by id. */
export const storeOf = (own: Partial<ThreadStore> = {}): { store: ThreadStore; begun: Map<string, Recorded> } => {
  const begun = new Map<string, Recorded>();
  const store: ThreadStore = {
    begin: ({ id }) => {
      const recorded: Recorded = [];
      begun.set(id, recorded);
      return of(recordOf(recorded));
    },
    resume: (ref) =>
      throwError(() => new ThreadError(`Session not found for thread_id: ${ref}. Start one with the tool codex.`)),
    list: () => of([]),
    read: none,
    fork: none,
    archive: none,
    restore: none,
    remove: none,
    close: () => EMPTY,
    ...own,
  };
  return { store, begun };
};
