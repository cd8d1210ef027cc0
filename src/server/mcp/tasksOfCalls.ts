/**
 * The tasks of the calls: when a call becomes a task, how a task is shown and kept, what it reads of events and answers, and the methods of tasks.
 * Source: modelcontextprotocol/ext-tasks, specification/draft/tasks.md.
 */
import { EMPTY, filter, map, merge, mergeMap, type Observable, take, takeUntil } from 'rxjs';
import { FileError } from '../../io/files/fileError';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type Outgoing,
  type Request,
  type Response,
  RpcError,
} from '../../protocol/jsonrpc/messages';
import { MISSING_CAPABILITY } from '../../protocol/mcp/mcp';
import { readTaskId, readTaskUpdate } from '../../protocol/mcp/readParams';
import { declaresTasks, isEnded, TASKS_EXTENSION } from '../../protocol/mcp/tasks';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import { ofKind } from '../../streams/ofKind';
import { toVisible } from '../../streams/text/visible';
import { toTimerMs } from '../../streams/time/wait';
import { stepText } from '../calls/stepText';
import type { Era } from '../faces/clientInfo';
import { formOf } from '../faces/toElicitation';
import type { TaskAnswer, TaskChange, TaskDeps, TaskQuestion, TaskState } from '../tasks/reduceTasks';
import type { TaskMessage, TaskRecord, TaskUpdate } from '../tasks/taskFiles';
import type { TaskStore } from '../tasks/taskStore';
import type { Caller, McpCall } from './caller';
import type { McpDeps } from './mcpDeps';
import {
  type CallCommand,
  type Command,
  type Method,
  type MethodDeps,
  reply,
  serverMeta,
  type TaskCommand,
} from './methods/method';
import { isFitting, readAnswer } from './readAnswers';
import { toCallResult } from './toCallResult';
import { toQuestion } from './toMessages';

type TasksDeps = Pick<McpDeps, 'tasks' | 'face' | 'threadIdInText' | 'log' | 'workMs' | 'library'>;

/** What the reducer of tasks needs of MCP. */
export const taskDeps = (deps: TasksDeps): TaskDeps<Caller> => ({
  doing: (msg) => {
    const text = stepText(msg);
    if (text === undefined) return undefined;
    return toVisible(msg.type === 'exec_command_end' ? `thinking (${text})` : text);
  },
  readAnswer: readTaskAnswer,
  claim: (task) => deps.tasks?.store().claim(toTaskUpdate(deps, { task })) ?? false,
});

/** An answer that does not fit its question is no answer, and the question is asked again. */
const readTaskAnswer = (msg: EventMsg, response: unknown): TaskAnswer => {
  const form = formOf(msg);
  const verdict = readAnswer(form, response);
  return isFitting(form, response) ? verdict : { unfit: verdict.reason ?? '' };
};

type Change = Omit<TaskChange<Caller>, 'kind'>;

/** Keeps a task, and answers the request that waited for a new one. */
export const keepTask = (deps: TasksDeps, change: Change): Outgoing[] => {
  const { tasks } = deps;
  if (tasks === undefined) return [];
  if (change.isNew) return toTaskResponse(deps, change, tasks.store().read(change.task.call.callId));
  tasks.store().save(toTaskUpdate(deps, change));
  return [];
};

/**
 * When calls must be answered by a task, and what clients of other processes say about the tasks of this one.
 *   command  b-----z     (b begins a call that may become a task, z end)
 *   out      -- 2s D     (D its time is over)
 */
export const taskInputs = ({ tasks, after }: McpDeps, command$: Observable<Command>): Observable<TaskCommand> => {
  if (tasks === undefined) return EMPTY;
  const end$ = command$.pipe(ofKind('end'));
  const begin$ = command$.pipe(
    ofKind('begin'),
    filter(({ call }) => call.asksBy === 'task'),
  );
  const posted$ = begin$.pipe(
    take(1),
    mergeMap(() => tasks.store().posted$),
  );
  const due$ = begin$.pipe(
    mergeMap(({ call: { callId: taskId } }) =>
      after(toTimerMs(tasks.afterMs)).pipe(map(() => ({ kind: 'taskDue' as const, taskId }))),
    ),
  );
  return merge(posted$, due$).pipe(takeUntil(end$));
};

/** The task as it is kept and shown. */
const toTaskUpdate = (deps: TasksDeps, { task, end }: Change): TaskUpdate => ({
  task: {
    taskId: task.call.callId,
    ...statusMessageOf(task, end),
    ...(end === undefined ? openStatus(deps, task) : endStatus(deps, task, end)),
  },
  threadId: task.threadId,
  steps: task.steps,
});

const toTaskResponse = ({ face }: TasksDeps, { task }: Change, kept: TaskRecord | undefined): Response[] => {
  const { id, batch } = task.call.caller;
  const { inputRequests: _, ...about } = { inputRequests: undefined, ...kept?.task }; // these come with the first poll
  const result = { resultType: 'task', ...about, status: 'working', _meta: serverMeta(face) };
  return [{ kind: 'response', id, batch, result }];
};

const statusMessageOf = ({ doing, questions }: TaskState<Caller>, end: Change['end']) => {
  const misread = [...questions.values()].find(({ reason }) => reason !== undefined);
  if (misread !== undefined) return { statusMessage: toVisible(`asked again: ${misread.reason}`) };
  if (end?.kind === 'cancelled') return { statusMessage: 'cancelled by the client' };
  return doing === undefined ? {} : { statusMessage: doing };
};

const openStatus = ({ face }: TasksDeps, { call, questions }: TaskState<Caller>) => {
  if (questions.size === 0) return { status: 'working' as const };
  const inputRequests = Object.fromEntries(
    [...questions].map(([key, question]) => [
      key,
      { method: 'elicitation/create' as const, params: toParams(face, call.caller, question) },
    ]),
  );
  return { status: 'input_required' as const, inputRequests };
};

/** A question that is asked again says why. */
const toParams = (face: McpDeps['face'], { era }: Caller, { event, reason }: TaskQuestion): JsonObject => {
  const params = toQuestion(face, era, event);
  return reason === undefined
    ? params
    : { ...params, message: `${wordOf(params.message)}\n\nAsked again: ${toVisible(reason)}.` };
};

const INTERNAL = { code: INTERNAL_ERROR, message: 'Internal error' };

/** A bug in the making of the result is the JSON-RPC error of the request. */
const endStatus = (deps: TasksDeps, { call }: TaskState<Caller>, end: NonNullable<Change['end']>) => {
  if (end.kind === 'cancelled') return { status: 'cancelled' as const };
  try {
    const response = toCallResult(deps, call, end.outcome);
    if ('result' in response) return { status: 'completed' as const, result: response.result as JsonObject };
    return { status: 'failed' as const, error: 'error' in response ? response.error : INTERNAL };
  } catch (error) {
    return { status: 'failed' as const, ...failureOutcome(deps)(error) };
  }
};

/**
 * When requests must be answered before their calls are done. A call that may become a task is never one of these.
 *   command  b-----w-----z     (b begins a call, w waits for one, z end)
 *   out      -- 5s P -- 5s P   (P the time of a request is over)
 */
export const pauses = (
  { answerWithinMs: ms, after }: Pick<McpDeps, 'answerWithinMs' | 'after'>,
  command$: Observable<Command>,
): Observable<CallCommand> =>
  ms === undefined
    ? EMPTY
    : command$.pipe(
        filter(isWaiting),
        mergeMap(({ call: { requestId } }) =>
          after(toTimerMs(ms)).pipe(map(() => ({ kind: 'pause' as const, requestId }))),
        ),
        takeUntil(command$.pipe(ofKind('end'))),
      );

const isWaiting = (command: Command): command is Extract<Command, { call: McpCall }> =>
  'call' in command && command.call.asksBy !== 'task' && !('op' in command && command.op.kind !== 'turn');

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
