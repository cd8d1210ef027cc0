/** What a person does to stored threads: fork, archive, restore, remove. */
import { defer, type Observable, of } from 'rxjs';
import { isObject } from '../protocol/jsonrpc';
import { findRollout } from './findRollout';
import { parseLines } from './parseLines';
import { type RolloutFile, toRolloutPath } from './rolloutFiles';
import { isSessionStart, toSessionStart } from './sessionStart';
import { ThreadError } from './threadError';
import { type LockPlace, takeThread } from './threadLocks';
import type { ThreadStore } from './threadStore';
import type { ThreadSummary } from './threadSummary';

export type ChangeDeps = LockPlace & { now: () => number };

type Changes = Pick<ThreadStore, 'fork' | 'archive' | 'restore' | 'remove'>;

/** @param summaryOf reads what a list shows of a thread */
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
      if (!file.archived) throw new ThreadError(`The thread ${file.id} is not archived.`);
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

/** The lines of the old thread behind a first line of the new one; all of them, also those of unknown kinds. */
const fork = ({ files, home, now }: ChangeDeps, from: RolloutFile, id: string): RolloutFile => {
  const text = files.read(from.path) ?? '';
  const end = text.indexOf('\n');
  const [head] = parseLines(text.slice(0, end));
  if (head === undefined || !isSessionStart(head)) {
    throw new ThreadError(`The thread ${from.id} cannot be forked: ${from.path} does not begin as a rollout.`);
  }
  const startedMs = now();
  const path = toRolloutPath(home, { id, startedMs, archived: false });
  const timestamp = new Date(startedMs).toISOString();
  const own = { id, session_id: id, timestamp, forked_from_id: toSessionStart(head).threadId };
  const payload = isObject(head.payload) ? { ...head.payload, ...own } : { ...head, ...own };
  const first = isObject(head.payload) ? { ...head, timestamp, payload } : payload;
  const whole = text.slice(end, text.lastIndexOf('\n') + 1); // without a last line that is still being written
  files.replace(path, `${JSON.stringify(first)}${whole}`);
  return { id, startedMs, path, archived: false };
};
