/** Wires the tasks to this machine: they are kept in the Codex home. */
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { NEVER, timer } from 'rxjs';
import { filesHere } from '../io/disk/filesHere';
import type { TaskFilesDeps } from '../server/tasks/taskFiles';
import { type TaskStore, type TaskStoreDeps, taskStore } from '../server/tasks/taskStore';
import type { Tape } from '../tapes/format/tape';
import type { SeamPorts } from '../tapes/seams/ports';
import { recordPorts } from '../tapes/seams/record';

/** What a store of tasks needs besides the disk. */
export type TaskPorts = Pick<TaskStoreDeps, 'now' | 'diskMs' | 'log'>;

/** How often a server with open tasks looks for messages of other processes. */
const LOOK_MS = 250;

const newName = (): string => randomUUID().slice(-12);

type TaskWiring = { processInfo: { codexHome: string }; seams?: SeamPorts; disk?: unknown; tape?: Tape };

/** The tasks of a daemon: those of its Codex home, or of a session in memory, which leaves the disk alone. */
export const openTasks = ({ processInfo, seams, disk, tape }: TaskWiring, ports: TaskPorts): TaskStore => {
  const store = seams || disk ? tasksInMemory(ports) : tasksIn(processInfo, ports);
  return withSeams(seams ?? recordPorts(tape), store);
};

/** The tasks of a Codex home. */
export const tasksIn = ({ codexHome }: { codexHome: string }, ports: TaskPorts): TaskStore => {
  const folder = join(codexHome, 'codex-rx', 'tasks');
  const { files } = filesHere(codexHome);
  return taskStore({ ...ports, files, folder, newName, tick$: timer(LOOK_MS, LOOK_MS) });
};

/** The store, with what it gets of other processes recorded or played. */
export const withSeams = (
  { chance, messages, mark }: Pick<SeamPorts, 'chance' | 'messages' | 'mark'>,
  store: TaskStore,
): TaskStore => ({
  ...store,
  claim: (update) => {
    const isClaimed = store.claim(update);
    return chance('taskClaim', () => isClaimed)();
  },
  save: (update) => {
    mark(['task', update.task.taskId, update.task.status]); // no line tells when a task changed, which polls show
    return store.save(update);
  },
  read: (taskId) =>
    store.isOwn(taskId) ? store.read(taskId) : (chance('task', () => store.read(taskId) ?? null)() ?? undefined),
  posted$: messages(store.posted$),
});

/** The tasks of a session that must not touch the disk; they end with the process. */
export const tasksInMemory = (ports: TaskPorts): TaskStore =>
  taskStore({ ...ports, files: memoryFiles(), folder: '/tasks', newName, tick$: NEVER });

/** Files in memory, of which this process is the only owner. */
const memoryFiles = (): TaskFilesDeps['files'] => {
  const texts = new Map<string, string>(); // changed in place
  return {
    read: (path) => texts.get(path),
    replace: (path, text) => void texts.set(path, text),
    remove: (path) => void texts.delete(path),
    list: (folder) =>
      [...texts.keys()].flatMap((path) =>
        dirname(path) === folder ? [{ name: basename(path), isFolder: false }] : [],
      ),
    facts: () => undefined,
    lock: () => ({ kind: 'locked', release: () => {} }),
  };
};
