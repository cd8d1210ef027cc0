/** The files of the tasks: one for each task, one for each message to the server of a task. See `taskStore`. */
import { basename, join } from 'node:path';
import { FileError } from '../../io/files/fileError';
import type { Lock } from '../../io/files/lockFile';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { isUuid } from '../../protocol/codex/toUuid';
import { isObject, type JsonObject, parseObject, wordOf } from '../../protocol/jsonrpc/json';
import { isEnded, type Task } from '../../protocol/mcp/tasks';

/** A task as it is kept. */
export type TaskRecord = {
  /** As clients are shown it. */
  task: Task;
  /** Absent until the thread is known. */
  threadId?: string;
  /** The last steps of the agent, oldest first. */
  steps: readonly string[];
};

/** What changes in a task; its times are those of the store. */
export type TaskUpdate = Omit<TaskRecord, 'task'> & { task: DistributiveOmit<Task, TimesOfTask> };

type TimesOfTask = 'createdAt' | 'lastUpdatedAt' | 'ttlMs' | 'pollIntervalMs';
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** What a client asks the server of its task for. */
export type TaskMessage = { taskId: string } & ({ kind: 'taskUpdate'; responses: JsonObject } | { kind: 'taskCancel' });

/** What the files of tasks need. */
export type TaskFilesDeps = {
  files: Pick<PrivateFiles, 'read' | 'replace' | 'remove' | 'list' | 'facts' | 'lock'>;
  /** The folder of the tasks. */
  folder: string;
  /** Ms since 1970, for the times of the tasks of this process. */
  now: () => number;
  /** Ms since 1970, as files are stamped, and for the tasks of other processes. */
  diskMs: () => number;
  /** Makes a part of a name that nobody else uses. */
  newName: () => string;
};

/** How long an ended task is kept. */
const KEEP_MS = 86_400_000;
/** How often a client may ask. */
const POLL_MS = 1_000;

const pathOf = ({ folder }: TaskFilesDeps, taskId: string): string => join(folder, `${taskId}.json`);
/** The lock of the server that works on a task. */
export const lockOf = ({ folder }: TaskFilesDeps, taskId: string): string => join(folder, `${taskId}.lock`);
const inboxOf = ({ folder }: TaskFilesDeps): string => join(folder, 'inbox');

/** Leaves a message for the server of a task. Names sort by time. */
export const postMessage = (deps: TaskFilesDeps, message: TaskMessage): void =>
  deps.files.replace(join(inboxOf(deps), nameOf(deps, message)), JSON.stringify(message));

const nameOf = ({ diskMs, newName }: TaskFilesDeps, { taskId }: TaskMessage): string =>
  `${taskId}.${String(diskMs()).padStart(15, '0')}.${newName()}.json`;

/** A task that begins now. */
export const firstRecord = ({ now }: TaskFilesDeps, update: TaskUpdate): TaskRecord => {
  const time = toTime(now());
  const times = { createdAt: time, lastUpdatedAt: time, ttlMs: null, pollIntervalMs: POLL_MS };
  return { ...update, task: { ...update.task, ...times } };
};

const toTime = (ms: number): string => new Date(ms).toISOString();

/** Returns when the task is on the disk. Throws FileError. */
export const writeRecord = (deps: TaskFilesDeps, record: TaskRecord): void =>
  deps.files.replace(pathOf(deps, record.task.taskId), `${JSON.stringify(record)}\n`);

/** The task after an update. `lastUpdatedAt` moves if something changed, and never goes back, also if the clock does. */
export const withTimes = (
  { now }: Pick<TaskFilesDeps, 'now'>,
  { task: before }: TaskRecord,
  update: TaskUpdate,
): TaskRecord => {
  const { createdAt, pollIntervalMs } = before;
  const ms = Math.max(now(), Date.parse(before.lastUpdatedAt));
  const ttlMs = isEnded(update.task) ? ms - Date.parse(createdAt) + KEEP_MS : null;
  const task: Task = { ...update.task, createdAt, lastUpdatedAt: before.lastUpdatedAt, ttlMs, pollIntervalMs };
  const isSame = JSON.stringify({ ...before, ...task }) === JSON.stringify(before);
  return { ...update, task: isSame ? before : { ...task, lastUpdatedAt: toTime(ms) } };
};

/** The task as it is on the disk; undefined if there is none, or its time is over. A task whose server died is ended. */
export const readStored = (deps: TaskFilesDeps, taskId: string): TaskRecord | undefined => {
  const record = readRecord(deps, taskId);
  if (record === undefined || isExpired(deps, record)) return undefined;
  return isEnded(record.task) ? record : settle(deps, record);
};

const readRecord = (deps: TaskFilesDeps, taskId: string): TaskRecord | undefined => {
  if (!isUuid(taskId)) return undefined;
  const record = parseObject(deps.files.read(pathOf(deps, taskId)) ?? '');
  return isRecord(record) && record.task.taskId === taskId ? record : undefined;
};

/** Another release may have written the file. A file that cannot be read must not hide the others. */
const isRecord = (record: unknown): record is TaskRecord =>
  isObject(record) &&
  isObject(record.task) &&
  typeof record.task.status === 'string' &&
  [record.task.createdAt, record.task.lastUpdatedAt].every((time) => !Number.isNaN(Date.parse(wordOf(time)))) &&
  Array.isArray(record.steps);

const isExpired = ({ diskMs }: TaskFilesDeps, { task }: TaskRecord): boolean =>
  task.ttlMs !== null && Date.parse(task.createdAt) + task.ttlMs < diskMs();

/** An open task: as it is while its server lives; else its end is written. Who cannot write the home sees it as it is. */
const settle = (deps: TaskFilesDeps, open: TaskRecord): TaskRecord => {
  const { taskId } = open.task;
  const lock = lockIfPossible(deps, taskId);
  if (lock?.kind !== 'locked') return open;
  try {
    const record = readRecord(deps, taskId) ?? open; // it may have ended since it was read
    if (isEnded(record.task)) return record;
    const ended = withTimes({ now: deps.diskMs }, record, { ...record, task: died(record) });
    writeRecord(deps, ended);
    takeMessages(deps, (id) => id === taskId);
    return ended;
  } finally {
    lock.release();
  }
};

const lockIfPossible = (deps: TaskFilesDeps, taskId: string): Lock | undefined => {
  try {
    return deps.files.lock(lockOf(deps, taskId));
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
};

/** The end of a task whose server died: a result, so that the model of the client reads what to do. */
const died = ({ task: { taskId }, threadId, steps }: TaskRecord): TaskUpdate['task'] => {
  const content = [
    'The server that worked on this task ended before the task did; its turn was stopped.',
    steps.length === 0 ? 'It had done nothing yet.' : `Its last steps:\n${steps.map((step) => `- ${step}`).join('\n')}`,
    threadId === undefined
      ? 'No thread was begun: call the tool codex again.'
      : 'The thread is kept: look at what is done, and go on with the tool codex-reply and this threadId.',
  ].join('\n\n');
  const text = threadId === undefined ? content : `${content}\n\nthreadId: ${threadId}`;
  const result = {
    resultType: 'complete',
    content: [{ type: 'text', text }],
    ...(threadId !== undefined && { structuredContent: { threadId, content } }),
    isError: true,
  };
  return { taskId, status: 'completed', statusMessage: 'the server of this task ended before the task did', result };
};

const namesIn = ({ files }: TaskFilesDeps, folder: string): string[] =>
  files.list(folder).flatMap(({ name, isFolder }) => (!isFolder && name.endsWith('.json') ? [name] : []));

/** Takes the messages for these tasks out of the inbox, the oldest first. */
export const takeMessages = (deps: TaskFilesDeps, isFor: (taskId: string) => boolean): TaskMessage[] =>
  namesIn(deps, inboxOf(deps))
    .map((name) => ({ name, taskId: taskIdIn(name) }))
    .filter(({ taskId }) => isFor(taskId))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((message) => take(deps, message));

const take = (deps: TaskFilesDeps, { name, taskId }: { name: string; taskId: string }): TaskMessage[] => {
  const path = join(inboxOf(deps), name);
  const message = parseObject(deps.files.read(path) ?? '');
  deps.files.remove(path);
  if (message?.kind === 'taskCancel') return [{ kind: 'taskCancel', taskId }];
  if (message?.kind !== 'taskUpdate' || !isObject(message.responses)) return [];
  return [{ kind: 'taskUpdate', taskId, responses: message.responses }];
};

/** The ids of all tasks that have a file. */
export const storedIds = (deps: TaskFilesDeps): string[] =>
  namesIn(deps, deps.folder).map((name) => name.slice(0, -'.json'.length));

/** Removes what was written more than a day ago: messages, and all files of tasks whose server does not live. */
export const sweep = (deps: TaskFilesDeps): void => {
  for (const path of oldFiles(deps, inboxOf(deps))) deps.files.remove(path);
  for (const path of oldFiles(deps, deps.folder)) {
    const lock = lockIfPossible(deps, taskIdIn(basename(path)));
    if (lock?.kind !== 'locked') continue;
    if (!path.endsWith('.lock')) deps.files.remove(path);
    lock.release();
  }
};

const taskIdIn = (name: string): string => name.split('.', 1)[0] ?? '';

const oldFiles = ({ files, diskMs }: TaskFilesDeps, folder: string): string[] =>
  files.list(folder).flatMap(({ name, isFolder }) => {
    const path = join(folder, name);
    const writtenMs = isFolder ? undefined : files.facts(path)?.writtenMs;
    return writtenMs !== undefined && diskMs() - writtenMs > KEEP_MS ? [path] : [];
  });
