/** Opens threads for writing: new ones, and stored ones. */

import { readThread } from './lines/storedThread';
import { findRollout } from './listing/findRollout';
import { toRolloutPath } from './listing/rolloutFiles';
import { toSessionMeta } from './sessionMeta';
import { ThreadError } from './threadError';
import { type LockPlace, takeThread } from './threadLocks';
import { type RecordDeps, type ThreadRecord, threadRecord } from './threadRecord';
import type { ResumedThread, ThreadStart } from './threadStore';

/** @param version that of this program */
export type OpenThreadDeps = LockPlace &
  Pick<RecordDeps, 'soon' | 'later' | 'now' | 'failed' | 'recovered'> & { version: string };

/** The record of a new thread; this process takes the thread when the first line is written. */
export const beginThread = (deps: OpenThreadDeps, start: ThreadStart): ThreadRecord => {
  const startedMs = deps.now();
  const path = toRolloutPath(deps.home, { id: start.id, startedMs, archived: false });
  let release: (() => void) | undefined;
  const take = () => {
    release ??= takeThread(deps, start.id);
  };
  const record = lockedRecord(deps, { path, take, release: () => release?.() });
  record.write({ type: 'session_meta', payload: toSessionMeta(deps, start, startedMs) });
  return record;
};

/** Resumes a stored thread, which this process has from then on. Throws ThreadError or FileError. */
export const resumeThread = (deps: OpenThreadDeps, ref: string): ResumedThread => {
  const { id, path } = findRollout(deps, ref);
  const release = takeThread(deps, id);
  try {
    const thread = readThread(deps.files.read(path) ?? '');
    if (thread === undefined) {
      throw new ThreadError(`The thread ${id} cannot be resumed: ${path} does not begin as a rollout.`);
    }
    const record = lockedRecord(deps, { path, take: () => {}, release, nextOrdinal: thread.nextOrdinal });
    return { ...thread, id, record };
  } catch (error) {
    release();
    throw error;
  }
};

/** @param take is called each time the file is opened, and may fail; @param release gives the thread back */
type LockedRecord = { path: string; take: () => void; release: () => void; nextOrdinal?: number };

const lockedRecord = (deps: OpenThreadDeps, { path, take, release, nextOrdinal }: LockedRecord): ThreadRecord => {
  const open = () => {
    take();
    return deps.files.open(path);
  };
  const record = threadRecord({ ...deps, open, nextOrdinal });
  const close = () => {
    const closed$ = record.close();
    release();
    return closed$;
  };
  return { ...record, close };
};
