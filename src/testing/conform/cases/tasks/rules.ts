/** The rules of every session with tasks, and what is wrong with a task as it is shown. Source: ext-tasks, specification/draft/tasks.md, Tasks. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../../../protocol/jsonrpc/messages';
import { META_CAPABILITIES, META_SUBSCRIPTION, MODERN_VERSION } from '../../../../protocol/mcp/mcp';
import { declaresTasks, isEnded } from '../../../../protocol/mcp/tasks';
import type { ConformRule, Observed } from '../../conformCase';
import { short } from '../../expecting';
import { firstFault, messagesOf } from '../../observed';

type Json = Readonly<Record<string, unknown>>;

const TASKS = { level: 'MUST', extension: 'tasks', revisions: [MODERN_VERSION] } as const;

const keyOf = (id: unknown): string => idKey(id as RequestId);

/** The results of requests, each with its request. */
const answeredIn = (observed: Observed): { request: Json; result: Json }[] => {
  const requests = new Map(messagesOf(observed, 'in').map((one) => [keyOf(one.id), one]));
  return messagesOf(observed, 'out').flatMap(({ id, result }) => {
    const request = requests.get(keyOf(id));
    return request === undefined || result === undefined ? [] : [{ request, result: toObject(result) }];
  });
};

const pushedIn = (observed: Observed): Json[] =>
  messagesOf(observed, 'out')
    .filter(({ method }) => method === 'notifications/tasks')
    .map(({ params }) => toObject(params));

/** The tasks that the server shows, in the order of its lines. */
const shownIn = (observed: Observed): Json[] =>
  messagesOf(observed, 'out').flatMap(({ method, params, result }) => {
    const task = toObject(method === 'notifications/tasks' ? params : result);
    return 'taskId' in task && 'status' in task ? [task] : [];
  });

/** What is wrong with a task, by what was seen of it before. */
const followed =
  (faultOf: (task: Json, before: Json) => string | undefined): ConformRule['faultOf'] =>
  (observed) => {
    const last = new Map<unknown, Json>();
    return firstFault(shownIn(observed), (task) => {
      const before = last.get(task.taskId);
      last.set(task.taskId, task);
      return before && faultOf(task, before);
    });
  };

/** The rules are checked in each session, of whatever case. */
export const RULES_OF_TASKS: readonly ConformRule[] = [
  {
    ...TASKS,
    id: 'tasks-only-for-declared',
    section: 'capability-negotiation',
    sentence:
      'A server MUST NOT return CreateTaskResult to a client that did not include the extension capability on its request, regardless of prior declarations.',
    faultOf: (observed) =>
      firstFault(answeredIn(observed), ({ request, result }) => {
        const declared = toObject(toObject(toObject(request.params)._meta)[META_CAPABILITIES]);
        return result.resultType === 'task' && !declaresTasks(declared)
          ? `a task answers ${short(request.method)}, whose client does not declare them`
          : undefined;
      }),
  },
  {
    ...TASKS,
    id: 'tasks-only-for-calls',
    section: 'supported-methods',
    sentence: 'Servers MUST NOT set resultType to "task" on result types other than CreateTaskResult.',
    faultOf: (observed) =>
      firstFault(answeredIn(observed), ({ request, result }) =>
        result.resultType === 'task' && request.method !== 'tools/call'
          ? `resultType is "task" in the answer to ${short(request.method)}`
          : undefined,
      ),
  },
  {
    ...TASKS,
    id: 'tasks-ask-what-is-declared',
    section:
      'https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#server-requirements-basic-workflow',
    sentence:
      'Servers MUST NOT send an inputRequests that the client has not declared support for in its capabilities.',
    faultOf: (observed) => {
      const declared = new Map<unknown, Json>(
        answeredIn(observed).flatMap(({ request, result }) =>
          result.resultType === 'task'
            ? [[result.taskId, toObject(toObject(toObject(request.params)._meta)[META_CAPABILITIES])]]
            : [],
        ),
      );
      return firstFault(shownIn(observed), ({ taskId, inputRequests }) => {
        const needed = Object.values(toObject(inputRequests)).map((one) => String(toObject(one).method).split('/')[0]);
        const missing = needed.find((name) => declared.has(taskId) && !(`${name}` in toObject(declared.get(taskId))));
        return missing && `a task asks for ${missing}, which its client does not declare`;
      });
    },
  },
  {
    ...TASKS,
    id: 'tasks-pushed-whole',
    section: 'task-status-notifications',
    sentence:
      'Each notification carries a complete DetailedTask for the current status, identical to what tasks/get would have returned at that moment.',
    faultOf: (observed) => firstFault(pushedIn(observed), detailedFault),
  },
  {
    ...TASKS,
    id: 'tasks-pushed-if-named',
    section: 'task-status-notifications',
    sentence: 'clients send a subscriptions/listen request to the server including a list of task IDs',
    faultOf: (observed) => {
      const named = new Map(
        messagesOf(observed, 'in').flatMap(({ id, method, params }) =>
          method === 'subscriptions/listen' ? [[keyOf(id), toObject(toObject(params).notifications).taskIds]] : [],
        ) as [string, unknown][],
      );
      return firstFault(pushedIn(observed), ({ taskId, _meta }) => {
        const ids = named.get(keyOf(toObject(_meta)[META_SUBSCRIPTION]));
        return Array.isArray(ids) && ids.includes(taskId)
          ? undefined
          : `no subscription names the task ${short(taskId)}`;
      });
    },
  },
  {
    ...TASKS,
    id: 'tasks-ends-are-final',
    section: 'task-status',
    sentence: 'Terminal states: - completed - failed - cancelled',
    faultOf: followed(({ taskId, status }, before) =>
      isEnded({ status: before.status as 'working' }) && status !== before.status
        ? `the task ${short(taskId)} is ${short(status)} after ${short(before.status)}`
        : undefined,
    ),
  },
  {
    ...TASKS,
    id: 'tasks-times-do-not-go-back',
    level: 'SHOULD',
    section: 'tasks',
    sentence: 'ISO 8601 timestamp when the task was last updated.',
    faultOf: followed(({ createdAt, lastUpdatedAt }, before) => {
      if (createdAt !== before.createdAt)
        return `createdAt changes from ${short(before.createdAt)} to ${short(createdAt)}`;
      return Date.parse(String(lastUpdatedAt)) < Date.parse(String(before.lastUpdatedAt))
        ? `lastUpdatedAt goes back from ${short(before.lastUpdatedAt)} to ${short(lastUpdatedAt)}`
        : undefined;
    }),
  },
  {
    ...TASKS,
    id: 'tasks-keys-are-unique',
    section: 'task-update-requests',
    sentence: 'Each request key in inputRequests MUST be unique over the lifetime of a single task.',
    faultOf: (observed) => {
      const seen = new Map<string, string>();
      return firstFault(shownIn(observed), ({ taskId, inputRequests }) =>
        firstFault(Object.entries(toObject(inputRequests)), ([key, request]) => {
          const [place, text] = [JSON.stringify([taskId, key]), JSON.stringify(request)];
          const before = seen.get(place);
          seen.set(place, text);
          return before === undefined || before === text ? undefined : `the key ${short(key)} stands for two questions`;
        }),
      );
    },
  },
];

const STATES = ['working', 'input_required', 'completed', 'failed', 'cancelled'];
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/;
const QUESTIONS = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

const isWhole = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;

/** What is wrong with a task that was created; undefined if nothing is. */
export const createdFault = (value: unknown): string | undefined => {
  const task = toObject(value);
  const wrong = (name: string): string => `its ${name} is ${short(task[name])}`;
  if (typeof task.taskId !== 'string' || task.taskId === '') return wrong('taskId');
  if (!STATES.includes(String(task.status))) return wrong('status');
  const time = ['createdAt', 'lastUpdatedAt'].find((name) => !TIME.test(String(task[name])));
  if (time !== undefined) return wrong(time);
  if (task.ttlMs !== null && !isWhole(task.ttlMs)) return wrong('ttlMs');
  if (task.pollIntervalMs !== undefined && !isWhole(task.pollIntervalMs)) return wrong('pollIntervalMs');
  return ['string', 'undefined'].includes(typeof task.statusMessage) ? undefined : wrong('statusMessage');
};

/** What is wrong with a task that is fetched or pushed, also with what its status needs; undefined if nothing is. */
export const detailedFault = (value: unknown): string | undefined => {
  const { status, result, error, inputRequests } = toObject(value);
  const fault = createdFault(value);
  if (fault !== undefined) return fault;
  if (status === 'completed') return isObject(result) ? undefined : 'it is completed, but has no result';
  if (status === 'failed') {
    const { code, message } = toObject(error);
    return Number.isInteger(code) && typeof message === 'string'
      ? undefined
      : `it has failed, but its error is ${short(error)}`;
  }
  if (result !== undefined || error !== undefined) return `it is ${status}, but has a result or an error`;
  if (status !== 'input_required') return inputRequests === undefined ? undefined : `it is ${status}, but asks`;
  if (Object.keys(toObject(inputRequests)).length === 0) return 'it is input_required, but has no inputRequests';
  return firstFault(Object.entries(toObject(inputRequests)), ([key, request]) => {
    const { method, params } = toObject(request);
    const isQuestion = QUESTIONS.includes(String(method)) && (params === undefined || isObject(params));
    return isQuestion ? undefined : `the question ${short(key)} is ${short(request)}`;
  });
};
