/**
 * Tasks beyond the life of a process: each is a private file of the Codex home, replaced as a whole.
 *
 * 1. The server that works on a task has a lock next to its file. A lock ends with its process, so whoever finds the lock of an open task free knows
 *    that its server died, takes it, and writes the end of the task. Of several that find it, one gets the lock.
 * 2. What a client sends to another server is a file in the folder `inbox`. The server that works on the task looks into this folder while it has
 *    open tasks. The order of these files is the order in which they were written.
 * 3. A task is removed when its time is over, and so is what is left in the inbox.
 */
import { exhaustMap, filter, mergeMap, type Observable, Subject, startWith, take, takeWhile } from 'rxjs';
import type { Lock } from '../../io/files/lockFile';
import type { Log } from '../../protocol/log';
import { isEnded } from '../../protocol/mcp/tasks';
import { reasonOf } from '../../streams/text/reasons';
import {
  firstRecord,
  lockOf,
  postMessage,
  readStored,
  storedIds,
  sweep,
  type TaskFilesDeps,
  type TaskMessage,
  type TaskRecord,
  type TaskUpdate,
  takeMessages,
  withTimes,
  writeRecord,
} from './taskFiles';

/** The tasks of one Codex home. Members that write throw FileError. */
export type TaskStore = {
  /** Makes a task of this process; it is on the disk when this returns. False if it cannot be kept. */
  claim: (update: TaskUpdate) => boolean;
  /** Keeps what became of a task of this process; its end is on the disk when this returns. Returns it as it is kept. */
  save: (update: TaskUpdate) => TaskRecord;
  /** The task; undefined if there is none, or its time is over. A task whose server died is ended by this. */
  read: (taskId: string) => TaskRecord | undefined;
  /** True for an open task of this process. */
  isOwn: (taskId: string) => boolean;
  /** Emits once this process has no open task, and completes; at once if it has none. */
  idle$: Observable<unknown>;
  /** Leaves a message for the server of a task. */
  post: (message: TaskMessage) => void;
  /** All tasks, the newest first. */
  list: () => TaskRecord[];
  /** Hot; the tasks of this process as they change. */
  change$: Observable<TaskRecord>;
  /** Messages of other processes for the tasks of this one. */
  posted$: Observable<TaskMessage>;
};

/** How often old tasks are looked for. */
const SWEEP_MS = 3_600_000;
/** A change of the steps alone is written this often at most. */
const WRITE_MS = 1_000;
/** How calls become tasks. */
export type CallTasks = {
  /** Opened by the first task, as start-up time counts. */
  store: () => TaskStore;
  /** How long a call has for an answer without a task. */
  afterMs: number;
  /** How long open tasks go on when the input has ended. Default: 0. */
  outliveMs?: number;
};

/** What a store of tasks needs. */
export type TaskStoreDeps = TaskFilesDeps & {
  /** Emits as often as the inbox is looked into. */
  tick$: Observable<unknown>;
  log: Log;
};

type Own = { record: TaskRecord; lock: Lock & { kind: 'locked' }; writtenMs: number; isWritten: boolean };

/** The tasks below a folder. */
export const taskStore = (deps: TaskStoreDeps): TaskStore => {
  const own = new Map<string, Own>(); // changed in place: the open tasks of this process
  const change$ = new Subject<TaskRecord>(); // the wire from the writer to the subscriptions
  const claimed$ = new Subject<void>(); // the wire from the first open task to the inbox
  const read = (taskId: string) => own.get(taskId)?.record ?? readStored(deps, taskId);
  const sweepSometimes = sweeping(deps);
  return {
    claim: (update) => {
      sweepSometimes();
      const isClaimed = tryLogged(deps, NOT_KEPT, () => claim(deps, own, update)) ?? false;
      if (isClaimed) claimed$.next();
      return isClaimed;
    },
    save: (update) => {
      const record = saveOwn(deps, own, update);
      change$.next(record);
      return record;
    },
    read,
    isOwn: (taskId) => own.has(taskId),
    idle$: change$.pipe(startWith(undefined), filter(hasNone(own)), take(1)),
    post: (message) => postMessage(deps, message),
    list: () =>
      newestFirst(storedIds(deps).flatMap((id) => tryLogged(deps, 'a task is left out', () => read(id)) ?? [])),
    change$,
    posted$: claimed$.pipe(exhaustMap(() => lookUntilIdle(deps, own))),
  };
};

const hasNone = (own: Map<string, Own>) => (): boolean => own.size === 0;

const newestFirst = (records: TaskRecord[]): TaskRecord[] =>
  records.sort((one, other) => (one.task.createdAt < other.task.createdAt ? 1 : -1));

const sweeping = (deps: TaskStoreDeps) => {
  let sweptMs = Number.NEGATIVE_INFINITY;
  return (): void => {
    if (deps.diskMs() - sweptMs < SWEEP_MS) return;
    sweptMs = deps.diskMs();
    tryLogged(deps, 'old tasks cannot be removed', () => sweep(deps));
  };
};

const claim = (deps: TaskStoreDeps, own: Map<string, Own>, update: TaskUpdate): boolean => {
  const { taskId } = update.task;
  const lock = deps.files.lock(lockOf(deps, taskId));
  if (lock.kind !== 'locked') return false;
  const record = firstRecord(deps, update);
  try {
    writeRecord(deps, record);
  } catch (error) {
    lock.release();
    throw error;
  }
  own.set(taskId, { record, lock, writtenMs: deps.diskMs(), isWritten: true });
  return true;
};

const NOT_KEPT = 'tasks are not kept on disk';

/** What is returned; undefined, and this warning in the log, if it throws. */
const tryLogged = <T>({ log }: TaskStoreDeps, warning: string, run: () => T): T | undefined => {
  try {
    return run();
  } catch (error) {
    log('warning', warning, { reason: reasonOf(error) });
    return undefined;
  }
};

/** A change of what the agent does need not be on the disk at once; the thread, a question and an end must be. */
const saveOwn = (deps: TaskStoreDeps, own: Map<string, Own>, update: TaskUpdate): TaskRecord => {
  const { taskId } = update.task;
  const before = own.get(taskId);
  if (before === undefined) throw new Error(`${taskId} is no open task of this process`);
  const record = withTimes(deps, before.record, update);
  if (isEnded(record.task)) {
    own.delete(taskId);
    write(deps, record);
    before.lock.release(); // if the end could not be written, the task ends as the task of a server that died
    return record;
  }
  const isMinor = isSameButDoing(before.record, record) && deps.diskMs() - before.writtenMs < WRITE_MS;
  const next = { ...before, record, isWritten: false };
  own.set(taskId, isMinor ? next : written(deps, next));
  return record;
};

const write = (deps: TaskStoreDeps, record: TaskRecord): void =>
  tryLogged(deps, NOT_KEPT, () => writeRecord(deps, record));

const written = (deps: TaskStoreDeps, one: Own): Own => {
  write(deps, one.record);
  return { ...one, writtenMs: deps.diskMs(), isWritten: true };
};

const isSameButDoing = (one: TaskRecord, other: TaskRecord): boolean => {
  const rest = ({ task: { statusMessage: _, lastUpdatedAt: __, ...task }, threadId }: TaskRecord) =>
    JSON.stringify([task, threadId]);
  return rest(one) === rest(other);
};

const lookUntilIdle = (deps: TaskStoreDeps, own: Map<string, Own>): Observable<TaskMessage> =>
  deps.tick$.pipe(
    takeWhile(() => own.size > 0),
    mergeMap(() => lookAround(deps, own)),
  );

/** Writes what waited for it, and takes the messages out of the inbox. */
const lookAround = (deps: TaskStoreDeps, own: Map<string, Own>): TaskMessage[] => {
  for (const [taskId, one] of own) {
    if (!one.isWritten && deps.diskMs() - one.writtenMs >= WRITE_MS) own.set(taskId, written(deps, one));
  }
  return (
    tryLogged(deps, 'the inbox of the tasks cannot be read', () => takeMessages(deps, (taskId) => own.has(taskId))) ??
    []
  );
};
