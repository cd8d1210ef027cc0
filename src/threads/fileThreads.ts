/** The thread store that keeps threads as rollouts, which an installed Codex finds too. */
import {
  concatMap,
  defer,
  EMPTY,
  endWith,
  finalize,
  ignoreElements,
  map,
  type Observable,
  of,
  reduce,
  type SchedulerLike,
  tap,
} from 'rxjs';
import { isRemoved } from '../io/files/appendFile';
import type { JsonObject } from '../protocol/jsonrpc/json';
import { inTurns } from '../streams/inTurns';
import { inTurns as inPausedTurns } from '../streams/pausing';
import { forkLines } from './forkLines';
import { type LentDeps, type LockPlace, lentRecord, takeThread } from './lentRecord';
import { parseLine } from './lines/readRolloutLine';
import { isItem, LAST_COMPACTION } from './lines/storedItems';
import { addLines, isOfThread, makeThread, nothingRead, type ReadLines } from './lines/storedThread';
import { findRollout } from './listing/findRollout';
import { type RolloutFile, type RolloutPlace, toRolloutPath } from './listing/rolloutFiles';
import { readSummary, type ThreadSummary, toSummary } from './listing/threadSummary';
import { listThreads } from './listThreads';
import { NotArchivedError, ThreadError } from './threadError';
import type { RecordDeps, ThreadRecord } from './threadRecord';
import { type ResumedThread, type ThreadStart, type ThreadStore, toSessionMeta } from './threadStore';

/** What the store needs. `failed` is called once with what keeps threads from being written, until `recovered` is called. */
type FileThreadsDeps = LockPlace &
  Pick<RecordDeps, 'soon' | 'later' | 'now' | 'failed' | 'recovered'> & {
    /** The version of this program. */
    version: string;
    /** When the making of a long thread goes on: see `startsInTurns`. */
    starts: SchedulerLike;
  };

/** The store of one connection. */
export const fileThreads = (deps: FileThreadsDeps): ThreadStore => {
  const { track, close } = openRecords();
  const open = { ...deps, soon: soonTogether(deps.soon), ...inTurn(deps), lent: new Set<string>() };
  return {
    begin: (start) => track(beginThread(open, start)),
    resume: (ref) =>
      findRollout(deps, ref).pipe(
        concatMap((file) => resumeThread(open, file)),
        map((thread) => ({ ...thread, record: track(thread.record) })),
      ),
    list: (query) => listThreads(deps, query),
    read: (ref, reader) =>
      findRollout(deps, ref).pipe(
        concatMap((file) => {
          const summary = summaryOf(deps, file);
          const lines = deps.files.lines(file.path, () => true);
          return inTurns(lines, AT_ONCE, reader).pipe(map((pieces) => ({ summary, lines: pieces.flat() })));
        }),
      ),
    ...changeThreads(open, (file) => summaryOf(deps, file)),
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
    fork: (ref, id) => fork(deps, ref, id).pipe(map(summaryOf)),
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

const fork = (deps: ChangeDeps, ref: string, id: string): Observable<RolloutFile> =>
  findRollout(deps, ref).pipe(concatMap((file) => copy(deps, file, id)));

/** Writes the fork as a draft, whose name no list of threads shows, until it has all lines. */
const copy = ({ files, home, now }: ChangeDeps, from: RolloutFile, id: string): Observable<RolloutFile> =>
  defer(() => {
    const startedMs = now();
    const path = toRolloutPath(home, { id, startedMs, archived: false });
    const draft = `${path}.${id.slice(-12)}.new`;
    const file = files.open(draft);
    const keep = () => {
      files.move(draft, path);
      file.sync(() => {}); // the old thread has the lines too
    };
    return inTurns(
      files.lines(from.path, () => true),
      AT_ONCE,
    ).pipe(
      map((pieces) => pieces.flat()),
      forkLines({ id, startedMs, from }),
      tap({ next: file.append, complete: keep }),
      ignoreElements(),
      finalize(() => {
        file.close();
        files.remove(draft); // if it is still there
      }),
      endWith({ id, startedMs, path, archived: false }),
    );
  });

type OpenDeps = FileThreadsDeps & LentDeps;

/** The record of a new thread; this process takes the thread when the first line is written. */
const beginThread = (deps: OpenDeps, start: ThreadStart): ThreadRecord => {
  const startedMs = deps.now();
  const path = toRolloutPath(deps.home, { id: start.id, startedMs, archived: false });
  const record = lentRecord(deps, { id: start.id, path });
  record.write({ type: 'session_meta', payload: toSessionMeta(deps, start, startedMs) });
  return record;
};

/** MiB of a rollout that are read in one turn of the event loop; a shorter one is parsed at once. */
const AT_ONCE = 2;

/** Resumes a stored thread for this process. Errors with ThreadError or FileError; the thread is released then, and if it is unsubscribed before. */
const resumeThread = (deps: OpenDeps, { id, path }: RolloutFile): Observable<ResumedThread> =>
  defer(() => {
    const release = takeThread(deps, id);
    let isResumed = false;
    return inPausedTurns(deps.starts, () => deps.files.findLastLine(path, LAST_COMPACTION)).pipe(
      concatMap((begin = 0) =>
        readFrom(deps, path, begin).pipe(
          concatMap((read) => (begin > 0 && read.isRolledBack ? readFrom(deps, path, 0) : of(read))),
        ),
      ),
      concatMap((read) => inPausedTurns(deps.starts, () => makeThread(read))),
      map((thread) => {
        if (thread === undefined) {
          throw new ThreadError(`The thread ${id} cannot be resumed: ${path} does not begin as a rollout`);
        }
        isResumed = true;
        return { ...thread, id, record: lentRecord(deps, { id, path, release, nextOrdinal: thread.nextOrdinal }) };
      }),
      finalize(() => isResumed || release()),
    );
  });

/** Reads a rollout. @param begin the place of a compaction, before which the items are not read */
const readFrom = ({ files }: Pick<OpenDeps, 'files'>, path: string, begin: number): Observable<ReadLines> => {
  const isWanted = (head: string, at: number) => isOfThread(head) && (at >= begin || !isItem(head));
  return inTurns(parsed(files.lines(path, isWanted)), AT_ONCE).pipe(
    reduce((read, pieces) => pieces.reduce(addLines, read), nothingRead()),
  );
};

function* parsed(pieces: Iterable<string[]>): Generator<JsonObject[]> {
  for (const lines of pieces) yield lines.flatMap(parseLine);
}
