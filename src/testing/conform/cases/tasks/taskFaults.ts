/** What is wrong with a task as it is shown. Source: ext-tasks, specification/draft/tasks.md, Tasks. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import { short } from '../../expecting';
import { firstFault } from '../../observed';

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

/** The same of a task that is fetched or pushed, with what its status needs. */
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
