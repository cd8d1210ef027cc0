/** Cases of subscriptions to tasks. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../../protocol/jsonrpc/messages';
import { META_SUBSCRIPTION } from '../../../../protocol/mcp/mcp';
import { idOf, notification } from '../../../messages';
import type { ConformCase } from '../../conformCase';
import { asksAlive, BAD_PARAMS, failure, notified, sends, short } from '../../expecting';
import { of, RUNNING, TASK, task, whenCreated } from './calls';
import { declaring, NO_SUCH, TASKS, undeclared } from './withoutTask';

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

/** All of them. */
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
