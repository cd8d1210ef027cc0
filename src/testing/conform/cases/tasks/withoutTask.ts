/** Cases of the extension for tasks that need no task: what it declares, ids of no task, clients that do not declare it, invalid params. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../../protocol/jsonrpc/messages';
import {
  META_CAPABILITIES,
  META_VERSION,
  MISSING_CAPABILITY,
  MODERN_VERSION,
  UNSUPPORTED_VERSION,
} from '../../../../protocol/mcp/mcp';
import { TASKS_EXTENSION } from '../../../../protocol/mcp/tasks';
import type { ConformCase, Given } from '../../conformCase';
import { asks, asksAlive, failure, outlives, response, result, sends, short } from '../../expecting';

/** What a client of tasks declares. */
export const DECLARED = { extensions: { [TASKS_EXTENSION]: {} } };

/** What all cases of tasks have. */
export const TASKS = { extension: 'tasks', revisions: [MODERN_VERSION], capabilities: DECLARED } as const;

/** The id of no task. */
export const NO_SUCH = '00000000-0000-4000-8000-000000004711';
const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'] as const;
type Method = (typeof METHODS)[number];

/** A name as a part of an id. */
export const nameOf = (method: string): string => method.replaceAll('/', '-');

/** Params of a request of tasks. */
export const paramsOf = (method: string, taskId: unknown, more: object = {}): object => ({
  taskId,
  ...(method === 'tasks/update' && { inputResponses: {} }),
  ...more,
});

/** A request whose client declares other capabilities. */
export const declaring =
  (capabilities: unknown, method: string, params: object) =>
  ({ request }: Given) =>
    request(method, { ...params, _meta: { [META_CAPABILITIES]: capabilities } });

/** An error that names the extension. */
export const undeclared = (letter: string) =>
  failure(letter, [MISSING_CAPABILITY], ({ data }) => {
    const { extensions } = toObject(toObject(data).requiredCapabilities);
    return TASKS_EXTENSION in toObject(extensions)
      ? undefined
      : `data.requiredCapabilities does not name ${TASKS_EXTENSION}: ${short(data)}`;
  });

/** How much is demanded of a method for a task that is not there. */
const levelOf = (method: Method): 'MUST' | 'SHOULD' => (method === 'tasks/get' ? 'MUST' : 'SHOULD');
const NO_TASK = 'Invalid or nonexistent taskId: -32602 (Invalid params)';

/** Ids of no task, whatever they look like. */
const UNKNOWN: Readonly<Record<string, string>> = {
  uuid: NO_SUCH,
  empty: '',
  blank: ' ',
  path: '../../../../etc/passwd',
  nul: 'a\u0000b',
  proto: '__proto__',
  constructor: 'constructor',
  long: 'x'.repeat(10_000),
};
/** Values that are no id. */
const NO_IDS = { missing: undefined, null: null, number: 7, boolean: true, list: [NO_SUCH], object: { id: NO_SUCH } };

const unknown: readonly ConformCase[] = METHODS.flatMap((method) =>
  Object.entries<unknown>({ ...UNKNOWN, ...NO_IDS }).map(([kind, taskId]) => ({
    id: `${nameOf(method)}-${Object.hasOwn(UNKNOWN, kind) ? 'unknown' : 'bad-id'}-${kind}`,
    level: levelOf(method),
    ...TASKS,
    section: 'protocol-errors',
    sentence: NO_TASK,
    ...asksAlive(method, paramsOf(method, taskId), failure('a', [INVALID_PARAMS])),
  })),
);

/** Capabilities that do not declare the extension. */
export const NOT_DECLARED: Readonly<Record<string, unknown>> = {
  nothing: {},
  'former-capability': { tasks: { requests: { tools: { call: {} } } } },
  experimental: { experimental: { [TASKS_EXTENSION]: {} } },
  'other-extension': { extensions: { 'com.example/tasks': {} } },
};

const MUST_DECLARE =
  'Servers MUST return this error for non-declaring clients issuing tasks/get, tasks/update, and tasks/cancel requests.';

const withoutDeclaring: readonly ConformCase[] = METHODS.flatMap((method) =>
  Object.entries(NOT_DECLARED).map(([kind, capabilities]) => ({
    id: `${nameOf(method)}-undeclared-${kind}`,
    level: 'MUST',
    ...TASKS,
    section: 'protocol-errors',
    sentence: MUST_DECLARE,
    ...sends(declaring(capabilities, method, paramsOf(method, NO_SUCH)), undeclared('a')),
  })),
);

/** The extension with a value that is no object. */
const oddly: readonly ConformCase[] = Object.entries({ null: null, text: 'yes', list: [] }).map(([kind, value]) => ({
  id: `tasks-get-declared-as-${kind}`,
  level: 'ROBUSTNESS',
  ...TASKS,
  section: 'capability-negotiation',
  sentence: 'An extension that is declared by no object has a response.',
  ...sends(declaring({ extensions: { [TASKS_EXTENSION]: value } }, 'tasks/get', { taskId: NO_SUCH }), response('a')),
}));

const META = {
  section: 'https://modelcontextprotocol.io/specification/2026-07-28/basic#meta',
  sentence:
    'A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code -32602 (Invalid params).',
} as const;

/** What every request needs in its `_meta`. */
const malformed: readonly ConformCase[] = METHODS.flatMap((method) =>
  Object.entries({
    'no-version': { [META_VERSION]: undefined },
    'no-capabilities': { [META_CAPABILITIES]: undefined },
  }).map(([kind, _meta]) => ({
    id: `${nameOf(method)}-${kind}`,
    level: 'MUST',
    ...TASKS,
    ...META,
    client: 'p-a-',
    server: '-P-A',
    values: ({ request }) => ({
      a: JSON.parse(JSON.stringify(request(method, { ...paramsOf(method, NO_SUCH), _meta }))),
      A: failure('a', [INVALID_PARAMS]),
    }),
  })),
);

/** Methods of an earlier design of tasks. */
const removed: readonly ConformCase[] = ['tasks/list', 'tasks/result', 'tasks/create', 'tasks/'].map((method) => ({
  id: `tasks-no-method-${method.slice('tasks/'.length) || 'empty'}`,
  level: 'MUST',
  ...TASKS,
  section: 'https://www.jsonrpc.org/specification#error_object',
  sentence: '-32601 Method not found: The method does not exist / is not available.',
  ...asksAlive(method, { taskId: NO_SUCH }, failure('a', [METHOD_NOT_FOUND])),
}));

const noRequests: readonly ConformCase[] = METHODS.map((method) => ({
  id: `${nameOf(method)}-as-notification`,
  level: 'MUST',
  ...TASKS,
  section: 'https://modelcontextprotocol.io/specification/2026-07-28/basic#notifications',
  sentence: 'The receiver MUST NOT send a response.',
  ...outlives(({ request }) => {
    const { id, ...rest } = request(method, paramsOf(method, NO_SUCH));
    return rest;
  }),
}));

/** The cases of this file. */
export const TASK_CASES: readonly ConformCase[] = [
  {
    id: 'tasks-declared-as-object',
    level: 'SHOULD',
    ...TASKS,
    section: 'capability-negotiation',
    sentence: 'No extension-specific settings are currently defined; an empty object indicates support.',
    ...asks(
      'server/discover',
      {},
      result('a', ({ result: outcome }) => {
        const value = toObject(toObject(toObject(outcome).capabilities).extensions)[TASKS_EXTENSION];
        return isObject(value) && Object.keys(value).length === 0 ? undefined : `its value is ${short(value)}`;
      }),
    ),
  },
  {
    id: 'tasks-no-former-capability',
    level: 'ROBUSTNESS',
    ...TASKS,
    section: 'capability-negotiation',
    sentence: 'The capability `tasks` of 2025-11-25 is not declared in 2026-07-28.',
    ...asks(
      'server/discover',
      {},
      result('a', ({ result: outcome }) =>
        'tasks' in toObject(toObject(outcome).capabilities) ? 'it declares capabilities.tasks' : undefined,
      ),
    ),
  },
  ...unknown,
  ...withoutDeclaring,
  ...oddly,
  ...malformed,
  {
    id: 'tasks-get-version-unknown',
    level: 'MUST',
    ...TASKS,
    section: 'https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#protocol-version-negotiation',
    sentence: 'it MUST respond with an UnsupportedProtocolVersionError listing the versions it does support:',
    ...sends(
      ({ request }) => request('tasks/get', { taskId: NO_SUCH, _meta: { [META_VERSION]: '1999-01-01' } }),
      failure('a', [UNSUPPORTED_VERSION]),
    ),
  },
  ...removed,
  ...noRequests,
];
