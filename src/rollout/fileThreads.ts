/** The thread store that keeps threads as rollouts, where an installed Codex finds them too. */
import { defer, EMPTY, map, of } from 'rxjs';
import { changeThreads } from './changeThreads';
import { findRollout } from './listing/findRollout';
import { listThreads } from './listing/listThreads';
import type { RolloutFile, RolloutPlace } from './listing/rolloutFiles';
import { readSummary, type ThreadSummary, toSummary } from './listing/threadSummary';
import { beginThread, type OpenThreadDeps, resumeThread } from './openThread';
import { soonTogether } from './soonTogether';
import type { ThreadRecord } from './threadRecord';
import type { ThreadStore } from './threadStore';

/** `failed` is called once, with what keeps threads from being written. */
export type FileThreadsDeps = OpenThreadDeps;

/** The store of one connection. */
export const fileThreads = (deps: FileThreadsDeps): ThreadStore => {
  const { track, close } = openRecords();
  const open = { ...deps, soon: soonTogether(deps.soon), failed: once(deps.failed) };
  return {
    begin: (start) => track(beginThread(open, start)),
    resume: (ref) =>
      defer(() => of(resumeThread(open, ref))).pipe(map((thread) => ({ ...thread, record: track(thread.record) }))),
    list: (query) => listThreads(deps, query),
    read: (ref) =>
      defer(() => {
        const file = findRollout(deps, ref);
        return of({ summary: summaryOf(deps, file), text: deps.files.read(file.path) ?? '' });
      }),
    ...changeThreads(deps, (file) => summaryOf(deps, file)),
    close,
  };
};

/** The records that are open; a set that is changed in place, as thousands come and go. */
const openRecords = () => {
  const open = new Set<ThreadRecord>();
  const track = (record: ThreadRecord): ThreadRecord => {
    const close = () => {
      open.delete(tracked);
      return record.close();
    };
    const tracked = { ...record, close };
    open.add(tracked);
    return tracked;
  };
  const close = () => {
    for (const record of open) record.close();
    return EMPTY;
  };
  return { track, close };
};

/** Reports only once: what keeps one thread from being written keeps the others as well. */
const once = (report: (error: Error) => void): ((error: Error) => void) => {
  let isReported = false;
  return (error) => {
    if (!isReported) report(error);
    isReported = true;
  };
};

const summaryOf = (deps: RolloutPlace, file: RolloutFile): ThreadSummary => {
  const facts = deps.files.facts(file.path) ?? { size: 0, writtenMs: file.startedMs };
  return toSummary(file, facts, readSummary(deps, file));
};
