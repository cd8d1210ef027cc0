/** Cases of tasks that are updated without a question, cancelled, and subscribed to. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../../protocol/jsonrpc/messages';
import { META_SUBSCRIPTION } from '../../../../protocol/mcp/mcp';
import { idOf, notification } from '../../../messages';
import type { ConformCase } from '../../conformCase';
import { asksAlive, BAD_PARAMS, failure, notified, response, sends, short } from '../../expecting';
import { acknowledged, ended, of, RUNNING, TASK, task, whenCreated } from './calls';
import { declaring, NO_SUCH, TASKS, undeclared } from './withoutTask';

const badAnswers: readonly ConformCase[] = Object.entries({
  missing: undefined,
  null: null,
  list: [],
  text: 'yes',
  number: 7,
}).map(([kind, inputResponses]) => ({
  id: `tasks-update-bad-responses-${kind}`,
  ...BAD_PARAMS,
  ...RUNNING,
  ...whenCreated('a-', '-A', (given) => ({
    a: of(given, 'tasks/update', { inputResponses }),
    A: failure('a', [INVALID_PARAMS]),
  })),
}));

/** The cases of tasks that are updated or cancelled. */
export const ENDING_TASKS: readonly ConformCase[] = [
  {
    id: 'tasks-update-no-question',
    level: 'SHOULD',
    ...RUNNING,
    section: 'response-1',
    sentence:
      'A server SHOULD ignore any inputResponses responses mapped to a key that is not currently outstanding for the task',
    ...whenCreated('u-g-', '-U-G', (given) => ({
      u: of(given, 'tasks/update', { inputResponses: { 'no-such-key': { action: 'accept', content: {} } } }),
      U: acknowledged('u'),
      g: of(given, 'tasks/get'),
      G: ended('g', ({ status }) => (status === 'cancelled' ? 'it is cancelled' : undefined)),
    })),
  },
  {
    id: 'tasks-update-proto-key',
    level: 'ROBUSTNESS',
    ...RUNNING,
    section: 'response-1',
    sentence: 'A key with a name of every object is a key like any.',
    ...whenCreated('u-g-', '-U-G', (given) => ({
      u: JSON.stringify(of(given, 'tasks/update', { inputResponses: { PLACE: {} } }))
        .replace('PLACE', '__proto__')
        .replace('"<id>"', '"own"'),
      U: response('u'),
      g: of(given, 'tasks/get'),
      G: task('g'),
    })),
  },
  {
    id: 'tasks-update-after-end',
    level: 'SHOULD',
    ...RUNNING,
    section: 'response-1',
    sentence: 'including keys that were never issued, keys that have already been answered',
    ...whenCreated('g-u-', '-G-U', (given) => ({
      g: of(given, 'tasks/get'),
      G: ended('g'),
      u: of(given, 'tasks/update', { inputResponses: { a: { action: 'decline' } } }),
      U: acknowledged('u'),
    })),
  },
  ...badAnswers,
  {
    id: 'tasks-cancel',
    level: 'MUST',
    ...RUNNING,
    section: 'response-2',
    sentence: 'On success, the server MUST acknowledge the request with an empty result.',
    ...whenCreated('c-g-', '-C-G', (given) => ({
      c: of(given, 'tasks/cancel'),
      C: acknowledged('c'),
      g: of(given, 'tasks/get'),
      G: ended('g'),
    })),
  },
  {
    id: 'tasks-cancel-twice',
    level: 'SHOULD',
    ...RUNNING,
    section: 'response-2',
    sentence: 'Servers SHOULD return a JSON-RPC error if the taskId does not correspond to a known task.',
    ...whenCreated('c-d-', '-C-D', (given) => ({
      c: of(given, 'tasks/cancel'),
      C: acknowledged('c'),
      d: of(given, 'tasks/cancel'),
      D: acknowledged('d'),
    })),
  },
  {
    id: 'tasks-cancel-after-end',
    level: 'MUST',
    ...RUNNING,
    section: 'task-status',
    sentence: 'Terminal states: - completed - failed - cancelled',
    ...whenCreated('g-c-h-', '-G-C-H', (given) => ({
      g: of(given, 'tasks/get'),
      G: ended('g'),
      c: of(given, 'tasks/cancel'),
      C: acknowledged('c'),
      h: of(given, 'tasks/get'),
      H: task('h', ({ status }) => (status === 'cancelled' ? 'an ended task is cancelled now' : undefined)),
    })),
  },
  {
    id: 'tasks-cancel-works',
    level: 'ROBUSTNESS',
    ...RUNNING,
    section: 'task-cancellation',
    sentence: 'A task that is cancelled at once ends as cancelled, unless it has ended before.',
    ...whenCreated('(cg)-', '----(CG)', (given) => ({
      c: of(given, 'tasks/cancel'),
      C: acknowledged('c'),
      g: of(given, 'tasks/get'),
      G: ended('g', ({ status }) => (status === 'failed' ? 'it has failed' : undefined)),
    })),
  },
  {
    id: 'tasks-cancelled-notification',
    level: 'SHOULD',
    ...RUNNING,
    section: 'task-cancellation',
    sentence: 'The notifications/cancelled notification MUST NOT be used for task cancellation.',
    ...whenCreated('n-g-', '--G', (given) => ({
      n: notification('notifications/cancelled', { requestId: idOf('t') }),
      g: of(given, 'tasks/get'),
      G: ended('g', ({ status }) => (status === 'cancelled' ? 'the notification has cancelled it' : undefined)),
    })),
  },
  {
    id: 'tasks-cancel-known-as-notification',
    level: 'MUST',
    ...RUNNING,
    section: 'https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications',
    sentence: 'The receiver MUST NOT send a response.',
    ...whenCreated('cg-', '--G', (given) => {
      const { id, ...rest } = toObject(of(given, 'tasks/cancel'));
      return { c: rest, g: of(given, 'tasks/get'), G: task('g') };
    }),
  },
];

const LISTEN = 'task-status-notifications';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
/** A subscription has a result when it is over. */
const isOfSubscription = (value: unknown): boolean =>
  isObject(value) && 'result' in value && META_SUBSCRIPTION in toObject(toObject(value.result)._meta);

const badSubscriptions: readonly ConformCase[] = Object.entries({
  text: NO_SUCH,
  number: 7,
  object: {},
  'number-in-list': [7],
  'null-in-list': [null],
}).map(([kind, taskIds]) => ({
  id: `tasks-listen-bad-ids-${kind}`,
  ...BAD_PARAMS,
  ...TASKS,
  ...asksAlive('subscriptions/listen', { notifications: { taskIds } }, failure('a', [INVALID_PARAMS])),
}));

/** The cases of subscriptions to tasks. */
export const LISTENING: readonly ConformCase[] = [
  {
    id: 'tasks-listen-undeclared',
    level: 'MUST',
    ...TASKS,
    section: LISTEN,
    sentence:
      'Servers MUST return this error for non-declaring clients requesting task notifications on subscriptions/listen.',
    ...sends(declaring({}, 'subscriptions/listen', { notifications: { taskIds: [NO_SUCH] } }), undeclared('a')),
  },
  {
    id: 'tasks-listen-unknown',
    level: 'SHOULD',
    ...TASKS,
    section: LISTEN,
    sentence: 'the server includes the list of task IDs it has agreed to send task status notifications for, if any:',
    client: 'l-cp-',
    server: '-K--P',
    values: ({ request }) => ({
      l: request('subscriptions/listen', { notifications: { taskIds: [NO_SUCH], toolsListChanged: true } }),
      K: notified(ACKNOWLEDGED, { [META_SUBSCRIPTION]: idOf('l') }, ({ params }) => {
        const { taskIds } = toObject(toObject(params).notifications);
        return Array.isArray(taskIds) && taskIds.includes(NO_SUCH)
          ? 'it agrees to a task that is not there'
          : undefined;
      }),
      c: notification('notifications/cancelled', { requestId: idOf('l') }),
    }),
    may: isOfSubscription,
  },
  ...badSubscriptions,
  {
    id: 'tasks-listen',
    level: 'ROBUSTNESS',
    ...RUNNING,
    section: 'task-status-notifications',
    sentence: 'A task that is named in a subscription is acknowledged.',
    ...whenCreated('l-xg-', '-K--G', (given) => ({
      l: given.request('subscriptions/listen', { notifications: { taskIds: [TASK] } }),
      K: notified('notifications/subscriptions/acknowledged', { [META_SUBSCRIPTION]: idOf('l') }, ({ params }) => {
        const { taskIds } = toObject(toObject(params).notifications);
        return Array.isArray(taskIds) && taskIds.length === 1 ? undefined : `it agrees to ${short(taskIds)}`;
      }),
      x: notification('notifications/cancelled', { requestId: idOf('l') }),
      g: of(given, 'tasks/get'),
      G: task('g'),
    })),
    may: (value) => isObject(value) && META_SUBSCRIPTION in toObject(toObject(value.result)._meta),
  },
];
