/** The thread store that keeps threads as rollouts, which an installed Codex finds too. */

import { join } from 'node:path';
import { concatMap, defer, EMPTY, finalize, map, type Observable, toArray } from 'rxjs';
import { isRemoved } from '../io/files/appendFile';
import { takenText } from '../io/files/lockFile';
import type { JsonObject } from '../protocol/jsonrpc/json';
import { inTurns } from '../streams/inTurns';
import { forkText } from './forkText';
import { parseLine } from './lines/readRolloutLine';
import { isOfThread, toThread } from './lines/storedThread';
import { type FindPlace, findRollout } from './listing/findRollout';
import { type RolloutFile, type RolloutPlace, toRolloutPath } from './listing/rolloutFiles';
import { readSummary, type ThreadSummary, toSummary } from './listing/threadSummary';
import { listThreads } from './listThreads';
import { NotArchivedError, ThreadError } from './threadError';
import { type RecordDeps, type ThreadRecord, threadRecord } from './threadRecord';
import type { ResumedThread, ThreadStart, ThreadStore } from './threadStore';
import { toSessionMeta } from './threadStore';

/** What the store needs. `failed` is called once with what keeps threads from being written, until `recovered` is called. */
export type FileThreadsDeps = LockPlace &
  Pick<RecordDeps, 'soon' | 'later' | 'now' | 'failed' | 'recovered'> & {
    /** The version of this program. */
    version: string;
  };

/** The store of one connection. */
export const fileThreads = (deps: FileThreadsDeps): ThreadStore => {
  const { track, close } = openRecords();
  const open = { ...deps, soon: soonTogether(deps.soon), ...inTurn(deps) };
  return {
    begin: (start) => track(beginThread(open, start)),
    resume: (ref) =>
      findRollout(deps, ref).pipe(
        concatMap((file) => resumeThread(open, file)),
        map((thread) => ({ ...thread, record: track(thread.record) })),
      ),
    list: (query) => listThreads(deps, query),
    read: (ref) =>
      findRollout(deps, ref).pipe(
        map((file) => ({ summary: summaryOf(deps, file), text: deps.files.read(file.path) ?? '' })),
      ),
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

/** Reports a failure once: what keeps one thread from being written keeps the others as well, until one has recovered. A removed file is of one thread. */
const inTurn = ({ failed, recovered }: FileThreadsDeps): Pick<FileThreadsDeps, 'failed' | 'recovered'> => {
  let isReported = false;
  return {
    failed: (error) => {
      if (!isReported || isRemoved(error)) failed(error);
      isReported ||= !isRemoved(error);
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

/**
 * Defers functions as `soon` does, but calls it once for all that wait at the same time: they run in one task, in their order, so that they share
 * what is looked up once per task (`oncePerTask`, the folders of `privateFiles`). None of them may throw.
 */
export const soonTogether = (soon: (run: () => void) => void): ((run: () => void) => void) => {
  let waiting: (() => void)[] = [];
  const runAll = () => {
    const due = waiting;
    waiting = [];
    for (const run of due) run();
  };
  return (run) => {
    if (waiting.length === 0) soon(runAll);
    waiting.push(run);
  };
};

type ChangeDeps = LockPlace & { now: () => number };

type Changes = Pick<ThreadStore, 'fork' | 'archive' | 'restore' | 'remove'>;

/** The members of a store that change threads. @param summaryOf reads what a list shows of a thread */
export const changeThreads = (deps: ChangeDeps, summaryOf: (file: RolloutFile) => ThreadSummary): Changes => {
  const change =
    (act: (file: RolloutFile) => RolloutFile) =>
    (ref: string): Observable<ThreadSummary> =>
      findRollout(deps, ref).pipe(
        map((file) => {
          const summary = summaryOf(file);
          const release = takeThread(deps, file.id);
          try {
            return { ...summary, ...act(file) };
          } finally {
            release();
          }
        }),
      );
  return {
    fork: (ref, id) => findRollout(deps, ref).pipe(map((file) => summaryOf(fork(deps, file, id)))),
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

/** The record of a new thread; this process takes the thread when the first line is written. */
const beginThread = (deps: FileThreadsDeps, start: ThreadStart): ThreadRecord => {
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

/** MiB of a rollout that are parsed in one turn of the event loop; a shorter one is parsed at once. */
const AT_ONCE = 3;

/** Resumes a stored thread for this process. Errors with ThreadError or FileError; the thread is released then, and if it is unsubscribed before. */
const resumeThread = (deps: FileThreadsDeps, { id, path }: RolloutFile): Observable<ResumedThread> =>
  defer(() => {
    const release = takeThread(deps, id);
    let isResumed = false;
    return inTurns(parsed(deps.files.lines(path, isOfThread)), AT_ONCE).pipe(
      toArray(),
      map((pieces) => {
        const thread = toThread(pieces.flat(2));
        if (thread === undefined) {
          throw new ThreadError(`The thread ${id} cannot be resumed: ${path} does not begin as a rollout.`);
        }
        isResumed = true;
        const record = lockedRecord(deps, { path, take: () => {}, release, nextOrdinal: thread.nextOrdinal });
        return { ...thread, id, record };
      }),
      finalize(() => isResumed || release()),
    );
  });

function* parsed(pieces: Iterable<string[]>): Generator<JsonObject[]> {
  for (const lines of pieces) yield lines.flatMap(parseLine);
}

type LockedRecord = {
  path: string;
  /** Is called each time the file is opened, and may fail. */
  take: () => void;
  /** Releases the thread. */
  release: () => void;
  nextOrdinal?: number;
};

const lockedRecord = (deps: FileThreadsDeps, { path, take, release, nextOrdinal }: LockedRecord): ThreadRecord => {
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

export type LockPlace = FindPlace & {
  /** The process that holds Codex's kind of lock on a file, if the system reveals it. */
  systemLock: (path: string) => number | undefined;
};

/**
 * Takes a thread for this process and returns the function that releases it. Throws ThreadError if this or another process has it.
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
