/** The methods of tasks. Source: modelcontextprotocol/ext-tasks, specification/draft/tasks.md. */
import { FileError } from '../../../io/files/fileError';
import { INTERNAL_ERROR, INVALID_PARAMS, type Request, RpcError } from '../../../protocol/jsonrpc/messages';
import { MISSING_CAPABILITY } from '../../../protocol/mcp/mcp';
import { readTaskId, readTaskUpdate } from '../../../protocol/mcp/readParams';
import { declaresTasks, isEnded, TASKS_EXTENSION } from '../../../protocol/mcp/tasks';
import type { Era } from '../../faces/clientInfo';
import type { TaskMessage, TaskRecord } from '../../tasks/taskFiles';
import type { TaskStore } from '../../tasks/taskStore';
import { type Command, type Method, type MethodDeps, reply, serverMeta } from './method';

/** Throws RpcError -32021 if a request does not declare the extension. */
export const demandTasks = ({ capabilities }: Era): void => {
  if (declaresTasks(capabilities)) return;
  const data = { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } };
  throw new RpcError(MISSING_CAPABILITY, `Missing required client capability: ${TASKS_EXTENSION}`, data);
};

/** `tasks/get`, `tasks/update` and `tasks/cancel`; none if this server makes no tasks. */
export const taskMethods = ({ face, tasks }: MethodDeps): Record<string, Method> => {
  if (tasks === undefined) return {};
  const toReply = (request: Request, members: object = {}) =>
    reply(request, JSON.stringify({ resultType: 'complete', ...members, _meta: serverMeta(face) }));
  return {
    'tasks/get': (request, era) => {
      demandTasks(era);
      const taskId = readTaskId(request.params);
      return toReply(request, find(tasks.store(), taskId).task);
    },
    'tasks/update': (request, era) => {
      demandTasks(era);
      const { taskId, inputResponses: responses } = readTaskUpdate(request.params);
      return deliver(tasks.store(), { kind: 'taskUpdate', taskId, responses }, toReply(request));
    },
    'tasks/cancel': (request, era) => {
      demandTasks(era);
      const taskId = readTaskId(request.params);
      return deliver(tasks.store(), { kind: 'taskCancel', taskId }, toReply(request));
    },
  };
};

const find = (store: TaskStore, taskId: string): TaskRecord => {
  const record = withDisk(() => store.read(taskId));
  if (record !== undefined) return record;
  throw new RpcError(INVALID_PARAMS, 'Invalid params: there is no task of this taskId, or it has expired');
};

/** A message for a task of this process is a command; a message for a task of another process is left for that process. */
const deliver = (store: TaskStore, message: TaskMessage, response: ReturnType<typeof reply>): Command => {
  const { task } = find(store, message.taskId);
  if (store.isOwn(message.taskId)) return { ...message, response };
  if (!isEnded(task)) withDisk(() => store.post(message));
  return response;
};

/** A disk that cannot be read or written is no bug: the client reads why. */
const withDisk = <T>(run: () => T): T => {
  try {
    return run();
  } catch (error) {
    throw error instanceof FileError ? new RpcError(INTERNAL_ERROR, error.message) : error;
  }
};
