/** Changes stored threads: fork, archive, restore, remove. */
import { defer, type Observable, of } from 'rxjs';
import { forkText } from './forkText';
import { findRollout } from './listing/findRollout';
import { type RolloutFile, toRolloutPath } from './listing/rolloutFiles';
import type { ThreadSummary } from './listing/threadSummary';
import { NotArchivedError } from './threadError';
import { type LockPlace, takeThread } from './threadLocks';
import type { ThreadStore } from './threadStore';

export type ChangeDeps = LockPlace & { now: () => number };

type Changes = Pick<ThreadStore, 'fork' | 'archive' | 'restore' | 'remove'>;

/** The members of a store that change threads. @param summaryOf reads what a list shows of a thread */
export const changeThreads = (deps: ChangeDeps, summaryOf: (file: RolloutFile) => ThreadSummary): Changes => {
  const change =
    (act: (file: RolloutFile) => RolloutFile) =>
    (ref: string): Observable<ThreadSummary> =>
      defer(() => {
        const file = findRollout(deps, ref);
        const summary = summaryOf(file);
        const release = takeThread(deps, file.id);
        try {
          return of({ ...summary, ...act(file) });
        } finally {
          release();
        }
      });
  return {
    fork: (ref, id) => defer(() => of(summaryOf(fork(deps, findRollout(deps, ref), id)))),
    archive: change((file) => move(deps, file, true)),
    restore: change((file) => {
      if (!file.archived) throw new NotArchivedError(file.id);
      return move(deps, file, false);
    }),
    remove: change((file) => {
      deps.files.remove(file.path);
      return file;
    }),
  };
};

const move = ({ files, home }: ChangeDeps, file: RolloutFile, archived: boolean): RolloutFile => {
  const path = toRolloutPath(home, { ...file, archived });
  if (path !== file.path) files.move(file.path, path);
  return { ...file, path, archived };
};

const fork = ({ files, home, now }: ChangeDeps, from: RolloutFile, id: string): RolloutFile => {
  const startedMs = now();
  const path = toRolloutPath(home, { id, startedMs, archived: false });
  files.replace(path, forkText(files.read(from.path) ?? '', { id, startedMs, from }));
  return { id, startedMs, path, archived: false };
};
