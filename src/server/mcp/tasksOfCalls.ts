/** The tasks of the calls: when a call becomes a task, how a task is shown and kept, and what it reads of events and answers. */
import { EMPTY, filter, map, merge, mergeMap, type Observable, take, takeUntil } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, type Outgoing, type Response } from '../../protocol/jsonrpc/messages';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import { ofKind } from '../../streams/ofKind';
import { toVisible } from '../../streams/text/visible';
import { toTimerMs } from '../../streams/time/wait';
import { stepText } from '../calls/stepText';
import { formOf } from '../faces/toElicitation';
import type { TaskAnswer, TaskChange, TaskDeps, TaskQuestion, TaskState } from '../tasks/reduceTasks';
import type { TaskRecord, TaskUpdate } from '../tasks/taskFiles';
import type { Caller, McpCall } from './caller';
import type { McpDeps } from './mcpDeps';
import { type CallCommand, type Command, serverMeta, type TaskCommand } from './methods/method';
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
