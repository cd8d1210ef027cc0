/** The tasks of the server that conforms: calls of `slow` end at the second look, those of `ask` ask until they are answered or cancelled. */
import { randomUUID } from 'node:crypto';
import { isObject, toObject } from '../../../src/protocol/jsonrpc/json';

type Json = Readonly<Record<string, unknown>>;
type Task = { status: string; looks: number; times: Json; rest: Json; tool: string; canAsk: boolean };
/** Throws a JSON-RPC error. */
export type Refuse = (code: number, message: string, data?: unknown) => never;

const TASKS = 'io.modelcontextprotocol/tasks';
const QUESTION = { method: 'elicitation/create', params: { mode: 'form', message: 'Sure?', requestedSchema: {} } };
const TIME = '2026-07-28T00:00:00Z';

/** Tools whose calls become tasks. */
export const TASK_TOOLS = ['slow', 'ask'].map((name) => ({
  name,
  description: 'Takes its time',
  inputSchema: { type: 'object' },
}));

/** What a connection knows of tasks. @returns the result of a method; undefined if it is no method of tasks */
export const tasksOfServer = (refuse: Refuse) => {
  const tasks = new Map<string, Task>();
  const end = (task: Task, status: string, text = ''): void => {
    if (!['working', 'input_required'].includes(task.status)) return;
    Object.assign(task, {
      status,
      rest: status === 'completed' ? { result: { content: [{ type: 'text', text }] } } : {},
    });
  };
  const create = (tool: string, canAsk: boolean): Json => {
    const taskId = randomUUID();
    const times = { createdAt: TIME, lastUpdatedAt: TIME, ttlMs: 60_000, pollIntervalMs: 50 };
    tasks.set(taskId, { status: 'working', looks: 0, times, rest: {}, tool, canAsk });
    return { resultType: 'task', taskId, status: 'working', ...times };
  };
  const look = (taskId: string, task: Task): Json => {
    task.looks += 1;
    if (task.looks > 1 && task.tool === 'ask' && task.canAsk && task.status === 'working')
      Object.assign(task, { status: 'input_required', rest: { inputRequests: { q1: QUESTION } } });
    else if (task.looks > 1 && task.status === 'working') end(task, 'completed', 'done');
    return { taskId, status: task.status, ...task.times, ...task.rest };
  };
  const update = (task: Task, responses: Json): Json => {
    if ('q1' in responses && task.status === 'input_required') end(task, 'completed', 'answered');
    return {};
  };
  const known = (taskId: unknown): Task => {
    const task = typeof taskId === 'string' ? tasks.get(taskId) : undefined;
    return task ?? refuse(-32602, 'Task not found');
  };
  return (method: string, params: Json, capabilities: Json): Json | undefined => {
    const isDeclared = isObject(toObject(capabilities.extensions)[TASKS]);
    if (method === 'tools/call' && TASK_TOOLS.some(({ name }) => name === params.name))
      return isDeclared
        ? create(String(params.name), 'elicitation' in capabilities)
        : { content: [{ type: 'text', text: 'done' }] };
    const { taskIds } = toObject(params.notifications);
    if (
      !['tasks/get', 'tasks/update', 'tasks/cancel'].includes(method) &&
      (method !== 'subscriptions/listen' || taskIds === undefined)
    )
      return undefined;
    if (!isDeclared) refuse(-32021, 'Missing capability', { requiredCapabilities: { extensions: { [TASKS]: {} } } });
    if (method === 'subscriptions/listen')
      return Array.isArray(taskIds) && taskIds.every((one) => typeof one === 'string')
        ? { taskIds: taskIds.filter((one) => tasks.has(one)) }
        : refuse(-32602, 'Invalid params');
    const task = known(params.taskId);
    if (method === 'tasks/get') return look(String(params.taskId), task);
    if (method === 'tasks/update')
      return isObject(params.inputResponses) ? update(task, params.inputResponses) : refuse(-32602, 'Invalid params');
    end(task, 'cancelled');
    return {};
  };
};
