/** The tasks of a session: the calls that were answered with one, and what was seen of them since. Source: the extension io.modelcontextprotocol/tasks. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { Call, CallOutcome, IndexedMessage, SessionIndex } from './sessionIndex';

/** A call that was answered with a task. */
export type SessionTask = {
  taskId: string;
  /** An index of a call. */
  call: number;
  /** The message that first shows that the task has ended. */
  end?: number;
  /** How it ended, as a call; `open` if that was not seen. */
  outcome: CallOutcome;
};

/** A task as a message of the server shows it; undefined if it shows none. */
export const shownTask = (message: TapeMessage | undefined): JsonObject | undefined => {
  if (message?.kind === 'response') return asTask(message.body.result);
  return message?.kind === 'notification' && message.method === 'notifications/tasks'
    ? asTask(message.params)
    : undefined;
};

const asTask = (value: unknown): JsonObject | undefined =>
  isObject(value) && typeof value.taskId === 'string' && typeof value.status === 'string' ? value : undefined;

/** The task that a request of a client polls; undefined if it is no poll. */
export const polledTask = (message: TapeMessage | undefined): string | undefined => taskNamedBy(message, ['tasks/get']);

/** The task that a request of a client changes; undefined if it changes none. */
export const changedTask = (message: TapeMessage | undefined): string | undefined =>
  taskNamedBy(message, ['tasks/update', 'tasks/cancel']);

const taskNamedBy = (message: TapeMessage | undefined, methods: readonly string[]): string | undefined => {
  if (message?.kind !== 'request' || !methods.includes(message.method)) return undefined;
  const { taskId } = toObject(message.params);
  return typeof taskId === 'string' ? taskId : undefined;
};

/** One text for each state of a task: its status, and what it asks. */
export const taskState = ({ status, inputRequests }: JsonObject): string =>
  [status, ...Object.keys(toObject(inputRequests))].join(' ');

/** The state of a task that works. How often it is seen depends on the time only. */
export const WORKING = 'working';

const ENDS: Readonly<Record<string, CallOutcome>> = {
  completed: 'answered',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** True for a task that has ended. */
export const isEndOfTask = ({ status }: JsonObject): boolean => Object.hasOwn(ENDS, wordOf(status));

const outcomeOf = ({ status, result }: JsonObject): CallOutcome =>
  status === 'completed' && toObject(result).isError === true ? 'failed' : (ENDS[wordOf(status)] ?? 'open');

/** The tasks of a session, in the order of their calls. */
export const tasksOf = ({ calls, messages }: Pick<SessionIndex, 'calls' | 'messages'>): SessionTask[] => {
  const ends = new Map<string, Pick<SessionTask, 'end' | 'outcome'>>();
  for (const { index, message } of messages) {
    const task = shownTask(message);
    if (task === undefined || ends.has(wordOf(task.taskId)) || !isEndOfTask(task)) continue;
    ends.set(wordOf(task.taskId), { end: index, outcome: outcomeOf(task) });
  }
  return calls.flatMap((call, at) => {
    const taskId = createdBy(call, messages);
    return taskId === undefined ? [] : [{ taskId, call: at, outcome: 'open' as const, ...ends.get(taskId) }];
  });
};

const createdBy = ({ response }: Call, messages: readonly IndexedMessage[]): string | undefined => {
  const task = shownTask(messages[response ?? -1]?.message);
  return task?.resultType === 'task' ? wordOf(task.taskId) : undefined;
};

/** The states in which polls of the client found their tasks, by line of the client; absent without a response. */
export const polledStates = ({ clientLines, serverLines }: SessionIndex): ReadonlyMap<number, PolledState> =>
  new Map(
    serverLines.flatMap(({ link, owner, value, messages: [message] }) => {
      const [request, ...more] = (link === 'named' && clientLines[owner]?.messages) || [];
      const taskId = more.length === 0 ? polledTask(request) : undefined;
      if (taskId === undefined || message?.kind !== 'response') return [];
      return [[owner, { taskId, state: taskState(shownTask(message) ?? {}), value }] as const];
    }),
  );

/** What a poll found. */
type PolledState = {
  taskId: string;
  /** See `taskState`. */
  state: string;
  /** The response. */
  value: unknown;
};
