/** `codex-rx tasks`: lists, shows, answers and cancels the tasks of this home. */
import { createInterface } from 'node:readline/promises';
import { concat, concatMap, defer, finalize, from, last, map, type Observable, of, switchMap, tap, timer } from 'rxjs';
import { type TaskPorts, tasksIn } from '../../app/openTasks';
import { type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import { type InputRequest, isEnded, type Task } from '../../protocol/mcp/tasks';
import type { TaskRecord } from '../../server/tasks/taskFiles';
import type { TaskStore } from '../../server/tasks/taskStore';
import { watchTasks } from '../../server/tasks/watchTasks';
import { counted } from '../../streams/text/reasons';
import { toVisible } from '../../streams/text/visible';
import { defineCommand } from '../command';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { ageOf, TABLE_WIDTH, toTable } from '../table';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

const ACTIONS = ['list', 'show', 'answer', 'cancel'] as const;

export const tasks = defineCommand({
  usage: '$0 tasks [list | show ID | answer ID | cancel ID]',
  positionals: {
    action: { type: 'string', choices: ACTIONS, describe: 'What to do. Default: list' },
    id: { type: 'string', describe: 'The task: its id, or the beginning of it' },
  },
  options: {
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    wait: { type: 'boolean', describe: 'show: wait for the end of the task, and print what the agent does meanwhile' },
    accept: { type: 'boolean', describe: 'answer: say yes to all that is asked now' },
    decline: { type: 'boolean', describe: 'answer: say no to all that is asked now' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 tasks', 'the tasks of this home, the newest first'],
    ['$0 tasks show 01a204a1 --wait', 'what a task does, until its end'],
    ['$0 tasks answer 01a204a1', 'answer its questions here'],
  ],
  epilogue: 'Exit codes: 0 done, 1 there is no such task, or nothing to answer, 2 the command line cannot be used.',
  problem: ({ action = 'list', id, accept, decline }) => {
    if (accept && decline) return '--accept and --decline exclude each other';
    if (action === 'list') return id === undefined ? undefined : 'list takes no id';
    return id === undefined ? `${action} needs the id of a task` : undefined;
  },
  run: ({ action = 'list', id = '', ...options }) => {
    const ports: TaskPorts = { now: Date.now, diskMs: Date.now, log: (_, message) => remarkAs('tasks')(message) };
    const width = process.stdout.columns || TABLE_WIDTH;
    const deps = { store: tasksIn(thisProcess(), ports), ask: askHere, now: Date.now, width };
    defer(() => runTasks(deps, { action, id, ...options }))
      .subscribe({ next: (line) => print(`${line}\n`), error: failAs('tasks') })
      .add(exitWhenWritten('tasks'));
  },
});

type Request = {
  action: (typeof ACTIONS)[number];
  id: string;
  json?: boolean;
  wait?: boolean;
  accept?: boolean;
  decline?: boolean;
};

type TasksDeps = {
  store: TaskStore;
  /** Asks the person a question of a task; emits the answer as clients give it. */
  ask: (request: InputRequest) => Observable<JsonObject>;
  /** Ms since 1970. */
  now: () => number;
  /** Columns of the list. */
  width: number;
};

/** Nothing can be done as it was asked for. */
class TasksError extends Error {
  override name = 'TasksError';
}

/** Emits what the command prints. Errors with TasksError if there is no such task, or nothing to answer. */
export const runTasks = (deps: TasksDeps, request: Request): Observable<string> => {
  const { store } = deps;
  if (request.action === 'list') return list(deps, request);
  const record = findTask(store, request.id);
  const { taskId } = record.task;
  switch (request.action) {
    case 'show':
      return request.wait ? wait(store, record, request) : of(toShown(record, request));
    case 'answer':
      return answer(deps, record.task, request);
    case 'cancel':
      if (!isEnded(record.task)) store.post({ kind: 'taskCancel', taskId });
      return of(isEnded(record.task) ? `${taskId} has ended: ${record.task.status}` : `cancelled ${taskId}`);
  }
};

const findTask = (store: TaskStore, ref: string): TaskRecord => {
  const found = store.list().filter(({ task }) => task.taskId.startsWith(ref));
  const [first] = found;
  if (first === undefined) throw new TasksError(`There is no task ${ref}; codex-rx tasks lists all`);
  if (found.length > 1)
    throw new TasksError(`${ref} is the beginning of ${counted(found.length, 'task')}; write more of the id`);
  return first;
};

const list = ({ store, now, width }: TasksDeps, { json }: Request): Observable<string> => {
  const all = store.list();
  if (json) return of(toJson(all));
  if (all.length === 0) return of('there are no tasks');
  const nowMs = now();
  const rows = all.map(({ task: { taskId, status, createdAt, statusMessage = '' } }) =>
    [taskId, status, ageOf(nowMs - Date.parse(createdAt)), statusMessage.replaceAll(/\s+/g, ' ')].map(toVisible),
  );
  return from(toTable(['id', 'status', 'begun', 'what it does'], rows, width));
};

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

const toShown = (record: TaskRecord, { json }: Request): string => {
  if (json) return toJson(record);
  const { task, threadId, steps } = record;
  const { taskId, status, createdAt, statusMessage } = task;
  return [
    `task    ${taskId}`,
    `status  ${toVisible(statusMessage === undefined ? status : `${status}: ${statusMessage}`)}`,
    `begun   ${toVisible(createdAt)}`,
    ...(threadId === undefined ? [] : [`thread  ${threadId}`]),
    ...steps.map((step) => `did     ${toVisible(step)}`),
    ...Object.values(task.status === 'input_required' ? task.inputRequests : {}).map(toQuestion),
    ...(task.status === 'completed' ? [textOf(task.result)] : []),
    ...(task.status === 'failed' ? [toVisible(task.error.message)] : []),
  ].join('\n');
};

const toQuestion = ({ params }: InputRequest): string => `asks    ${wordOf(params.message)}`;

const textOf = ({ content }: JsonObject): string =>
  (Array.isArray(content) ? content : []).map((part) => wordOf(part?.text ?? '')).join('\n');

const wait = (store: TaskStore, { task: { taskId } }: TaskRecord, request: Request): Observable<string> => {
  const [watched] = watchTasks({ store, after: timer }, [taskId]);
  const task$ = watched?.task$ ?? of();
  const end$ = task$.pipe(
    tap(
      (task) => request.json || isEnded(task) || print(`${toVisible(`${task.status}  ${task.statusMessage ?? ''}`)}\n`),
    ),
    last(),
  );
  return end$.pipe(map(() => toShown(findTask(store, taskId), request)));
};

/** Each question is answered as soon as the person has. */
const answer = ({ store, ask }: TasksDeps, task: Task, { accept, decline }: Request): Observable<string> => {
  if (task.status !== 'input_required') throw new TasksError(`${task.taskId} asks nothing now: it is ${task.status}`);
  const { taskId } = task;
  return concat(Object.entries(task.inputRequests)).pipe(
    concatMap(([key, request]) => {
      const answer$ = accept || decline ? of(plainAnswer(accept ? 'accept' : 'decline')) : ask(request);
      return answer$.pipe(map((response) => ({ key, response })));
    }),
    map(({ key, response }) => {
      store.post({ kind: 'taskUpdate', taskId, responses: { [key]: response } });
      return `answered ${key}`;
    }),
  );
};

/** A yes to a question whether something may be done. A form needs its fields, so this is no answer to it, and the form is asked again. */
const plainAnswer = (action: 'accept' | 'decline'): JsonObject =>
  action === 'accept' ? { action, content: { decision: 'approved' } } : { action };

const askHere = (request: InputRequest): Observable<JsonObject> =>
  defer(() => {
    const { stdin, stderr } = process;
    if (!stdin.isTTY) throw new TasksError('Nobody can be asked here: add --accept or --decline');
    const terminal = createInterface({ input: stdin, output: stderr });
    print(`${toQuestion(request)}\n`, stderr);
    return from(terminal.question('Yes, no, or later? [y/n/L] ')).pipe(
      switchMap((typed) => {
        if (/^y(?:es)?$/i.test(typed.trim())) return of(plainAnswer('accept'));
        return /^no?$/i.test(typed.trim()) ? of(plainAnswer('decline')) : of();
      }),
      finalize(() => terminal.close()),
    );
  });
