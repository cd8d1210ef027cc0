/** Cases of tasks that run: a tool of `--tool` whose call becomes a task that ends by itself. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../../protocol/jsonrpc/messages';
import type { ConformCase } from '../../conformCase';
import { failedCall, failure, REPLIES, response, short } from '../../expecting';
import { messagesOf, responsesOf } from '../../observed';
import { call, created, ended, of, RUNNING, TASK, task, whenCreated } from './calls';
import { declaring, nameOf, paramsOf, TASKS, undeclared } from './withoutTask';

/** Requests of a known task whose client does not declare the extension. */
const strangers: readonly ConformCase[] = ['tasks/get', 'tasks/update', 'tasks/cancel'].map((method) => ({
  id: `${nameOf(method)}-undeclared-known`,
  level: 'MUST',
  ...RUNNING,
  section: 'protocol-errors',
  sentence:
    'Servers MUST return this error for non-declaring clients issuing tasks/get, tasks/update, and tasks/cancel requests.',
  ...whenCreated('a-', '-A', (given) => ({
    a: declaring({}, method, paramsOf(method, TASK))(given),
    A: undeclared('a'),
  })),
}));

/** Ids next to a known one are ids of no task. */
const neighbours: readonly ConformCase[] = Object.entries({
  longer: `${TASK}0`,
  behind: `${TASK} `,
  inside: `./${TASK}`,
}).map(([kind, taskId]) => ({
  id: `tasks-get-unknown-${kind}`,
  level: 'MUST',
  ...RUNNING,
  section: 'protocol-errors',
  sentence: 'Invalid or nonexistent taskId: -32602 (Invalid params)',
  ...whenCreated('a-', '-A', ({ request }) => ({
    a: request('tasks/get', { taskId }),
    A: failure('a', [INVALID_PARAMS]),
  })),
}));

const polls = (count: number): string => Array.from({ length: count }, () => 'g').join('');

/** The cases of this file. */
export const RUNNING_TASKS: readonly ConformCase[] = [
  {
    id: 'tasks-get-shape',
    level: 'MUST',
    ...RUNNING,
    section: 'response',
    sentence: 'The resultType field MUST be set to "complete" on this object',
    ...whenCreated('g-', '-G', (given) => ({
      g: of(given, 'tasks/get'),
      G: task('g', ({ resultType }) =>
        resultType === 'complete' ? undefined : `its resultType is ${short(resultType)}`,
      ),
    })),
  },
  {
    id: 'tasks-get-poll-interval',
    level: 'ROBUSTNESS',
    ...RUNNING,
    section: 'tasks',
    sentence: 'A task that works suggests how often it is polled: at least every minute.',
    ...whenCreated('', '', () => ({})),
    judge: (observed) => {
      const seed = toObject(
        responsesOf(observed).find(({ result: one }) => toObject(one).resultType === 'task')?.result,
      );
      const interval = Number(seed.pollIntervalMs);
      return interval >= 1 && interval <= 60_000 ? undefined : `pollIntervalMs is ${short(seed.pollIntervalMs)}`;
    },
  },
  {
    id: 'tasks-get-burst',
    ...REPLIES,
    ...RUNNING,
    ...whenCreated(`${polls(20)}-`, `${'-'.repeat(20)}(${polls(20).toUpperCase()})`, (given) => ({
      g: of(given, 'tasks/get'),
      G: response('g'),
    })),
  },
  {
    id: 'tasks-get-until-end',
    level: 'MUST',
    ...RUNNING,
    section: 'response',
    sentence:
      'If the status is completed, the server MUST return a Task object with status completed and a result field containing the final result of the task.',
    ...whenCreated('g-', '-G', (given) => ({
      g: of(given, 'tasks/get'),
      G: ended('g', ({ status, result: outcome }) => {
        if (status === 'cancelled') return 'nobody has cancelled it';
        return status === 'completed' && !Array.isArray(toObject(outcome).content)
          ? `its result is none of a call: ${short(outcome)}`
          : undefined;
      }),
    })),
  },
  {
    id: 'tasks-get-after-end',
    level: 'SHOULD',
    ...RUNNING,
    section: 'task-status',
    sentence: 'Terminal states: - completed - failed - cancelled',
    ...whenCreated('g-h-k-', '-G-H-K', (given) => ({
      g: of(given, 'tasks/get'),
      G: ended('g'),
      h: of(given, 'tasks/get'),
      H: task('h'),
      k: of(given, 'tasks/get'),
      K: task('k'),
    })),
    judge: (observed) => {
      const [, ...last] = responsesOf(observed)
        .filter(({ result: outcome }) => 'status' in toObject(outcome))
        .map(({ result: outcome }) => JSON.stringify({ ...toObject(outcome), _meta: undefined }))
        .slice(-3);
      return new Set(last).size < 2 ? undefined : 'an ended task has changed';
    },
  },
  {
    id: 'tasks-no-progress',
    level: 'MUST',
    ...RUNNING,
    section: 'task-status-notifications',
    sentence:
      'notifications/progress and notifications/message notifications MUST NOT be sent on the subscriptions/listen stream for a task, and are not supported on tasks in general in this specification.',
    client: 't-g-',
    server: '-T-G',
    values: (given) => ({
      t: given.request('tools/call', {
        name: given.tool.name,
        arguments: given.tool.arguments,
        _meta: { progressToken: 'token' },
      }),
      T: created('t'),
      g: of(given, 'tasks/get'),
      G: ended('g'),
    }),
    judge: (observed) => {
      const all = messagesOf(observed, 'out');
      const at = all.findIndex(({ result: outcome }) => toObject(outcome).resultType === 'task');
      const late = all.slice(at).find(({ method }) => /^notifications\/(?:progress|message)$/.test(String(method)));
      return late && `it sends ${short(late)} for a task`;
    },
  },
  ...strangers,
  ...neighbours,
  {
    id: 'tasks-get-unknown-tool',
    level: 'MUST',
    ...RUNNING,
    section: 'task-execution-errors',
    sentence: 'Protocol Errors: Standard JSON-RPC errors for protocol-level issues',
    client: 'ap-',
    server: '--(AP)',
    values: ({ request }) => ({
      a: request('tools/call', { name: 'no-such-tool-4711', arguments: {} }),
      A: failedCall('a'),
    }),
  },
  {
    id: 'tasks-end-of-input',
    level: 'SHOULD',
    ...TASKS,
    needs: ['task', 'process'],
    section: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown',
    sentence: 'Servers SHOULD exit promptly when their standard input is closed or reads return end-of-file.',
    ending: 'anyhow',
    client: 't-|',
    server: '-T-|',
    values: (given) => ({ t: call(given), T: created('t') }),
  },
];
