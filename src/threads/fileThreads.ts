/** The thread store that keeps threads as rollouts, where an installed Codex finds them too. */
import { defer, EMPTY, map, of } from 'rxjs';
import { changeThreads } from './changeThreads';
import { findRollout } from './listing/findRollout';
import type { RolloutFile, RolloutPlace } from './listing/rolloutFiles';
import { readSummary, type ThreadSummary, toSummary } from './listing/threadSummary';
import { listThreads } from './listThreads';
import { beginThread, type OpenThreadDeps, resumeThread } from './openThread';
import { soonTogether } from './soonTogether';
import type { ThreadRecord } from './threadRecord';
import type { ThreadStore } from './threadStore';

/** `failed` is called once with what keeps threads from being written, until `recovered` says that it no longer does. */
export type FileThreadsDeps = OpenThreadDeps;

/** The store of one connection. */
export const fileThreads = (deps: FileThreadsDeps): ThreadStore => {
  const { track, close } = openRecords();
  const open = { ...deps, soon: soonTogether(deps.soon), ...inTurn(deps) };
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

/** Reports a failure once: what keeps one thread from being written keeps the others as well, until one has recovered. */
const inTurn = ({ failed, recovered }: FileThreadsDeps): Pick<FileThreadsDeps, 'failed' | 'recovered'> => {
  let isReported = false;
  return {
    failed: (error) => {
      if (!isReported) failed(error);
      isReported = true;
    },
    recovered: () => {
      if (isReported) recovered();
      isReported = false;
    },
  };
};

const summaryOf = (deps: RolloutPlace, file: RolloutFile): ThreadSummary => {
  const facts = deps.files.facts(file.path) ?? { size: 0, writtenMs: file.startedMs };
  return toSummary(file, facts, readSummary(deps, file));
};
