/** Faults of tasks, each with the cases that find it. */
import { toObject } from '../../../src/protocol/jsonrpc/json';
import { before, changed, is, type Json, message, type Planted, read, withResult } from './planting';
import type { Fault } from './servers';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;

const all = (...faults: Fault[]): Fault => faults.reduce((one, other) => (good) => other(one(good)));

/** Changes what is created, or fetched. */
const created = (change: (task: Json) => Json): Fault =>
  withResult('tools/call', (result) => (result.resultType === 'task' ? change(result) : result));
const fetched = (change: (task: Json) => Json): Fault =>
  withResult('tasks/get', (result) => ('status' in result ? change(result) : result));
const whenStatus = (status: string, change: (task: Json) => Json) =>
  fetched((task) => (task.status === status ? change(task) : task));

const errorOf = (code: number, change: (error: Json) => Json): Fault =>
  all(
    ...[...METHODS, 'subscriptions/listen'].map((method) =>
      changed(method, (response) => {
        const error = toObject(response.error);
        return error.code === code ? { ...response, error: change(error) } : response;
      }),
    ),
  );

/** Requests are taken as if their client declared the extension. */
const asDeclared =
  (...methods: string[]): Fault =>
  (good) =>
  (line) => {
    const { params, ...rest } = read(line);
    const own = toObject(params);
    const meta = toObject(own._meta);
    const name = 'io.modelcontextprotocol/clientCapabilities';
    if (!methods.includes(String(rest.method)) || !(name in meta)) return good(line);
    const declared = { ...toObject(meta[name]), extensions: { [EXTENSION]: {} } };
    return good(JSON.stringify({ ...rest, params: { ...own, _meta: { ...meta, [name]: declared } } }));
  };

/** Changes the lines of the client. */
const received =
  (method: string, change: (params: Json) => Json): Fault =>
  (good) =>
  (line) =>
    is(line, method)
      ? good(JSON.stringify({ ...read(line), params: change(toObject(read(line).params)) }))
      : good(line);

const counted =
  (make: (next: () => number) => Fault): Fault =>
  (good) => {
    let count = 0;
    return make(() => count++)(good);
  };

const KINDS = ['nothing', 'former-capability', 'experimental', 'other-extension'];
const NO_IDS = ['missing', 'null', 'number', 'boolean', 'list', 'object'];

/** Found in tasks. */
export const TASK_FAULTS: Readonly<Record<string, Planted>> = {
  'has settings of its own': {
    fault: (good) => (line) =>
      good(line).map((text) => text.replace(`"${EXTENSION}":{}`, `"${EXTENSION}":{"list":true}`)),
    found: ['tasks-declared-as-object'],
  },
  'declares the former capability': {
    fault: withResult('server/discover', (result) => ({
      ...result,
      capabilities: { ...toObject(result.capabilities), tasks: {} },
    })),
    found: ['tasks-no-former-capability'],
  },
  'has another code for unknown tasks': {
    fault: errorOf(-32602, (error) => (error.message === 'Task not found' ? { ...error, code: -32002 } : error)),
    found: ['tasks-get-unknown', 'tasks-update-unknown', 'tasks-cancel-unknown']
      .flatMap((id) =>
        ['uuid', 'empty', 'blank', 'path', 'nul', 'proto', 'constructor', 'long'].map((kind) => `${id}-${kind}`),
      )
      .concat(
        METHODS.flatMap((method) => NO_IDS.map((kind) => `${method.replace('/', '-')}-bad-id-${kind}`)),
        [
          'tasks-get-unknown-longer',
          'tasks-get-unknown-inside',
          'tasks-get-unknown-behind',
          'modern-no-reserved-codes',
        ],
      ),
  },
  'trims ids': {
    fault: received('tasks/get', ({ taskId, ...params }) => ({
      ...params,
      taskId: typeof taskId === 'string' ? taskId.trim() : taskId,
    })),
    found: ['tasks-get-unknown-behind'],
  },
  'has tasks for anybody': {
    fault: asDeclared('tools/call'),
    found: [
      ...KINDS.map((kind) => `tasks-create-undeclared-${kind}`),
      'tasks-create-undeclared-later',
      'tasks-only-for-declared',
    ],
  },
  'shows tasks to anybody': {
    fault: asDeclared(...METHODS),
    found: [
      ...METHODS.flatMap((method) => KINDS.map((kind) => `${method.replace('/', '-')}-undeclared-${kind}`)),
      ...METHODS.map((method) => `${method.replace('/', '-')}-undeclared-known`),
    ],
  },
  'does not name what is missing': {
    fault: errorOf(-32021, ({ data, ...error }) => error),
    found: [
      ...METHODS.flatMap((method) => KINDS.map((kind) => `${method.replace('/', '-')}-undeclared-${kind}`)),
      ...METHODS.map((method) => `${method.replace('/', '-')}-undeclared-known`),
      'tasks-listen-undeclared',
    ],
  },
  'subscribes anybody': { fault: asDeclared('subscriptions/listen'), found: ['tasks-listen-undeclared'] },
  'agrees to unknown tasks': {
    fault: (good) => (line) =>
      good(line).map((text) => text.replace('"taskIds":[],', '"taskIds":["00000000-0000-4000-8000-000000004711"],')),
    found: ['tasks-listen-unknown'],
  },
  'agrees to no task': {
    fault: (good) => (line) =>
      good(line).map((text) => (text.includes('acknowledged') ? text.replace(/"taskIds":\[[^\]]*\],?/, '') : text)),
    found: ['tasks-listen'],
  },
  'still lists tasks': {
    fault: changed('tasks/list', ({ error, ...response }) => ({
      ...response,
      result: { resultType: 'complete', tasks: [] },
    })),
    found: ['tasks-no-method-list'],
  },
  'has no times': { fault: created(({ createdAt, ...task }) => task), found: ['EVERY', 'tasks-create'] },
  'shows the result in advance': { fault: created((task) => ({ ...task, result: {} })), found: ['tasks-create-flat'] },
  'counts its tasks': {
    fault: (good) => {
      const ids = new Map<string, string>();
      const toNumber = (text: string) =>
        text.replace(/"taskId":"([0-9a-f-]{36})"/g, (whole, id: string) => {
          if (id.startsWith('00000000')) return whole;
          if (!ids.has(id)) ids.set(id, `task-${1000 + ids.size}`);
          return `"taskId":"${ids.get(id)}"`;
        });
      const toId = (line: string) =>
        line.replace(/task-1\d\d\d/g, (number) => [...ids].find(([, one]) => one === number)?.[0] ?? number);
      return (line) => good(toId(line)).map(toNumber);
    },
    found: ['tasks-ids-unguessable'],
  },
  'is asked too seldom': {
    fault: created((task) => ({ ...task, pollIntervalMs: 600_000 })),
    found: ['tasks-get-poll-interval'],
  },
  'calls a look a task': {
    fault: fetched((task) => ({ ...task, resultType: 'task' })),
    found: ['tasks-get-shape', 'tasks-only-for-calls'],
  },
  'has an unknown status': {
    fault: whenStatus('working', (task) => ({ ...task, status: 'running' })),
    found: ['EVERY', 'tasks-create-durable', 'tasks-get-shape'],
  },
  'has no result': {
    fault: whenStatus('completed', ({ result, ...task }) => task),
    found: ['EVERY', 'tasks-get-until-end'],
  },
  'has a result that is none of a call': {
    fault: whenStatus('completed', (task) => ({ ...task, result: {} })),
    found: ['tasks-get-until-end'],
  },
  'changes what has ended': {
    fault: counted((next) => whenStatus('completed', (task) => ({ ...task, statusMessage: `look ${next()}` }))),
    found: ['tasks-get-after-end'],
  },
  'goes on after the end': {
    fault: (good) => {
      const ended = new Map<unknown, number>();
      return fetched((task) => {
        if (task.status !== 'completed') return task;
        ended.set(task.taskId, (ended.get(task.taskId) ?? 0) + 1);
        return ended.get(task.taskId) === 2 ? { ...task, status: 'working', result: undefined } : task;
      })(good);
    },
    found: ['tasks-get-after-end', 'tasks-ends-are-final'],
  },
  'goes back in time': {
    fault: counted((next) =>
      fetched((task) => ({
        ...task,
        lastUpdatedAt: `2026-07-27T00:00:${String(59 - (next() % 50)).padStart(2, '0')}Z`,
      })),
    ),
    found: ['tasks-get-after-end', 'tasks-times-do-not-go-back'],
  },
  'reports progress of tasks': {
    fault: (good) => (line) => [
      ...good(line),
      ...(is(line, 'tasks/get')
        ? [message({ method: 'notifications/progress', params: { progressToken: 'token', progress: 1 } })]
        : []),
    ],
    found: ['tasks-no-progress', 'progress-only-for-tokens', 'progress-rises', 'progress-ends'],
  },
  'stumbles over unknown keys': {
    fault: (good) => (line) =>
      is(line, 'tasks/update') && /no-such-key|__proto__/.test(line) && !line.includes('"q1"')
        ? [message({ id: read(line).id, error: { code: -32602, message: 'No such question' } })]
        : good(line),
    found: ['tasks-update-no-question', 'tasks-update-unknown-key'],
  },
  'takes anything for answers': {
    fault: received('tasks/update', (params) => ({
      ...params,
      inputResponses:
        Object(params.inputResponses) === params.inputResponses && !Array.isArray(params.inputResponses)
          ? params.inputResponses
          : {},
    })),
    found: ['missing', 'null', 'list', 'text', 'number'].map((kind) => `tasks-update-bad-responses-${kind}`),
  },
  'acknowledges with a task': {
    fault: withResult('tasks/cancel', (result) => ({ ...result, status: 'cancelled' })),
    found: [
      'tasks-cancel',
      'tasks-cancel-twice',
      'tasks-cancel-after-end',
      'tasks-cancel-works',
      'tasks-cancel-while-asking',
    ],
  },
  'cancels what has ended': {
    fault: (good) => {
      const cancelled = new Set<unknown>();
      return (line) => {
        if (is(line, 'tasks/cancel')) cancelled.add(toObject(read(line).params).taskId);
        return fetched((task) =>
          cancelled.has(task.taskId) ? { ...task, status: 'cancelled', result: undefined } : task,
        )(good)(line);
      };
    },
    found: ['tasks-cancel-after-end', 'tasks-ends-are-final'],
  },
  'answers a cancel that is a notification': {
    fault: (good) => (line) =>
      is(line, 'tasks/cancel') && !('id' in read(line))
        ? [message({ id: null, error: { code: -32600, message: 'x' } })]
        : good(line),
    found: ['tasks-cancel-as-notification', 'tasks-cancel-known-as-notification'],
  },
  'asks what no client answers': {
    fault: whenStatus('input_required', (task) => ({ ...task, inputRequests: { q1: { method: 'tools/list' } } })),
    found: ['EVERY', 'tasks-asks'],
  },
  'has new keys for the same question': {
    fault: counted((next) =>
      whenStatus('input_required', (task) => ({
        ...task,
        inputRequests: { [`q${next()}`]: toObject(task.inputRequests).q1 },
      })),
    ),
    found: ['EVERY', 'tasks-asks-again-alike'],
  },
  'has one key for two questions': {
    fault: counted((next) =>
      whenStatus('input_required', (task) => ({
        ...task,
        inputRequests: { q1: { method: 'elicitation/create', params: { message: `Question ${next()}` } } },
      })),
    ),
    found: ['tasks-asks-again-alike', 'tasks-keys-are-unique'],
  },
  'forgets its tasks': {
    fault: counted((next) =>
      changed('tasks/get', ({ result, ...response }) =>
        result === undefined || next() % 2 === 0
          ? { ...response, ...(result !== undefined && { result }) }
          : { ...response, error: { code: -32602, message: 'Task not found' } },
      ),
    ),
    found: ['EVERY', 'tasks-get-after-end'],
  },
  'is silent about acknowledgements': {
    fault: (good) => (line) => (is(line, 'tasks/update') && line.includes('"q1"') ? [] : good(line)),
    found: ['EVERY', 'tasks-update'],
  },
  'sends a task before it is asked': {
    fault: before('tasks/get', message({ method: 'notifications/tasks', params: { taskId: 'x', status: 'working' } })),
    found: ['tasks-pushed-whole', 'tasks-pushed-if-named'],
  },
};
