/** Port: where threads are kept beyond the life of a process. */
import { defer, EMPTY, type Observable } from 'rxjs';
import type { Awaitable } from '../streams/awaitable';
import type { Backpressure } from '../streams/backpressure';
import type { OwnSettings, SessionMeta } from './lines/rolloutEntry';
import type { StoredThread } from './lines/storedThread';
import type { ThreadSummary } from './listing/threadSummary';
import type { ThreadRecord } from './threadRecord';

/** A thread that begins. */
export type ThreadStart = {
  id: string;
  cwd: string;
  provider: string;
  /** The base instructions that the caller gave. */
  baseInstructions?: string;
  own: OwnSettings;
};

/** A stored thread that this process now has for itself, until `record.close`. */
export type ResumedThread = StoredThread & { record: ThreadRecord };

/** Which threads are listed. */
export type ThreadQuery = {
  /** The path of a thread: older threads are listed. By default the newest are. The thread may be gone. */
  after?: string;
  /** The most threads that are listed. */
  limit: number;
  /** Lists the archived threads instead of the others. */
  archived: boolean;
};

/** Some lines of a stored thread, in their order, without their ends. */
export type ThreadPiece = { summary: ThreadSummary; lines: readonly string[] };

/** Each member but `read` emits once; all error with, or throws, ThreadError or FileError. `ref` is an id, or the beginning of an id. */
export type ThreadStore = {
  /** Returns or emits the record. Nothing is written before its first line. The thread belongs to this process until `record.close`. */
  begin: (start: ThreadStart) => Awaitable<ThreadRecord>;
  /** Errors if another process uses the thread, as do `archive`, `restore` and `remove`. */
  resume: (ref: string) => Observable<ResumedThread>;
  /** Newest first. */
  list: (query: ThreadQuery) => Observable<ThreadSummary[]>;
  /**
   * Emits the lines of a thread of any size, piece by piece in turns of the event loop, at least one piece; a last line may be cut off. Completes after it.
   * @param reader if it is slow, a file is read as slowly
   */
  read: (ref: string, reader?: Backpressure) => Observable<ThreadPiece>;
  /** Makes a thread with the same past. */
  fork: (ref: string, id: string) => Observable<ThreadSummary>;
  archive: (ref: string) => Observable<ThreadSummary>;
  /** Errors if the thread is not archived. */
  restore: (ref: string) => Observable<ThreadSummary>;
  remove: (ref: string) => Observable<ThreadSummary>;
  /** Begins at once to release all threads; completes when other processes may use them. */
  close: () => Observable<never>;
};

/**
 * A thread store that is opened when it is first used.
 * @param open may throw: the operation that needed the store gets that error, and the next one calls it again
 */
export const lazyStore = (open: () => ThreadStore): ThreadStore => {
  let opened: ThreadStore | undefined;
  const store = (): ThreadStore => {
    opened ??= open();
    return opened;
  };
  return {
    begin: (start) => store().begin(start),
    resume: (ref) => defer(() => store().resume(ref)),
    list: (query) => defer(() => store().list(query)),
    read: (ref, reader) => defer(() => store().read(ref, reader)),
    fork: (ref, id) => defer(() => store().fork(ref, id)),
    archive: (ref) => defer(() => store().archive(ref)),
    restore: (ref) => defer(() => store().restore(ref)),
    remove: (ref) => defer(() => store().remove(ref)),
    close: () => opened?.close() ?? EMPTY,
  };
};

/**
 * The first line of the rollout of a thread that begins. Codex lists threads of its `source` by default.
 * Source: codex 0.142.0 and 0.169.0, threads of its app-server.
 * @param version the version of this program
 */
export const toSessionMeta = (
  { version }: { version: string },
  start: ThreadStart,
  startedMs: number,
): SessionMeta => ({
  id: start.id,
  session_id: start.id,
  timestamp: new Date(startedMs).toISOString(),
  cwd: start.cwd,
  originator: 'codex_rx',
  cli_version: version,
  source: 'vscode',
  model_provider: start.provider,
  ...(start.baseInstructions !== undefined && { base_instructions: { text: start.baseInstructions } }),
  codex_rx: start.own,
});
