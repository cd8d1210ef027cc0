/** Cases of JSON-RPC: ids, requests that nobody knows, notifications, responses, cancellation, lines that are no messages. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND } from '../../../protocol/jsonrpc/messages';
import { LEGACY_VERSIONS, MODERN_VERSION, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { idOf, notification } from '../../messages';
import type { ConformCase, Given } from '../conformCase';
import {
  asks,
  asksAlive,
  emptyFault,
  failure,
  isErrorWithoutId,
  outlives,
  REPLIES,
  response,
  result,
  short,
} from '../expecting';
import { responsesOf } from '../observed';

const ERRORS = 'https://www.jsonrpc.org/specification#error_object';
const NO_METHOD = '-32601 Method not found: The method does not exist / is not available.';
const NO_RESPONSE = 'The receiver MUST NOT send a response.';

/** A request that nobody knows, by its method. */
const unknownMethods: readonly ConformCase[] = Object.entries({
  'unknown-method': 'no/such/method',
  'unknown-method-of-object': 'constructor',
  'unknown-method-proto': '__proto__',
  'unknown-method-empty': '',
  'unknown-method-roots': 'roots/list',
  'unknown-method-sampling': 'sampling/createMessage',
  'unknown-method-elicitation': 'elicitation/create',
}).map(([id, method]) => ({
  id,
  level: id === 'unknown-method' ? 'MUST' : 'SHOULD',
  revisions: SUPPORTED_VERSIONS,
  section: ERRORS,
  sentence: NO_METHOD,
  ...asksAlive(method, {}, failure('a', method === '' ? [METHOD_NOT_FOUND, -32600] : [METHOD_NOT_FOUND])),
}));

/** Requests that some servers do not know; all answer them. */
const answered: readonly ConformCase[] = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
  'tasks/get',
].map((method) => ({
  id: `answers-${method.replaceAll('/', '-')}`,
  ...REPLIES,
  revisions: SUPPORTED_VERSIONS,
  ...asksAlive(method, {}, response('a')),
}));

const UNDECLARED = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  logging: 'logging/setLevel',
};

/** Notifications of 2026-07-28 say so by `_meta`, though they need not: some servers take a first message without it for an older revision. */
const ofRevision = ({ revision, request }: Given, { method, params }: { method?: string; params?: object }): object =>
  revision === MODERN_VERSION && method !== undefined ? { params: request(method, params).params } : {};

const silent = (id: string, message: object, more: Partial<ConformCase> = {}): ConformCase => ({
  id,
  level: 'MUST',
  revisions: SUPPORTED_VERSIONS,
  section: 'basic#notifications',
  sentence: NO_RESPONSE,
  ...outlives((given) => ({ jsonrpc: '2.0', ...message, ...ofRevision(given, message) })),
  ...more,
});

const ignored = {
  section: 'basic/utilities/cancellation#error-handling',
  sentence: 'Invalid cancellation notifications SHOULD be ignored:',
  level: 'SHOULD',
} as const;

/** Notifications have no response, whatever is in them. */
const notifications: readonly ConformCase[] = [
  silent('notification-unknown', { method: 'notifications/no/such', params: {} }),
  silent('notification-of-request', { method: 'tools/list', params: {} }),
  silent(
    'notification-known',
    { method: 'notifications/roots/list_changed' },
    { capabilities: { roots: { listChanged: true } } },
  ),
  silent('notification-bad-params', { method: 'notifications/progress', params: { progressToken: {}, progress: 'x' } }),
  silent(
    'response-unknown-id',
    { id: 987654, result: {} },
    { level: 'ROBUSTNESS', sentence: 'A response to no request is left alone.' },
  ),
  silent(
    'error-unknown-id',
    { id: 'nobody', error: { code: 1, message: 'x' } },
    { level: 'ROBUSTNESS', sentence: 'An error to no request is left alone.' },
  ),
  silent('cancel-unknown', { method: 'notifications/cancelled', params: { requestId: 987654, reason: 'x' } }, ignored),
  silent('cancel-malformed', { method: 'notifications/cancelled', params: { requestId: { a: 1 } } }, ignored),
  silent('cancel-without-params', { method: 'notifications/cancelled' }, ignored),
  {
    ...silent('cancel-finished', {}, ignored),
    client: 'a-cp-',
    server: '-A--P',
    values: (given) => {
      const cancelled = notification('notifications/cancelled', { requestId: idOf('a') });
      return { a: given.probe(), A: result('a'), c: { ...cancelled, ...ofRevision(given, cancelled) } };
    },
  },
];

const may = (value: unknown): boolean => isErrorWithoutId(value) || toObject(value).id === 'bad';

const INVALID = {
  [-32700]: '-32700 Parse error: Invalid JSON was received by the server.',
  [-32600]: '-32600 Invalid Request: The JSON sent is not a valid Request object.',
};

/** Lines that are no request, and the code of the error that they should have. */
const invalid: readonly ConformCase[] = Object.entries({
  'invalid-broken-json': ['{"jsonrpc":"2.0","id":"bad","method":', -32700],
  'invalid-plain-text': ['hello', -32700],
  'invalid-no-method': ['{"jsonrpc":"2.0","id":"bad"}', -32600],
  'invalid-method-number': ['{"jsonrpc":"2.0","id":"bad","method":7}', -32600],
  'invalid-version': ['{"jsonrpc":"1.0","id":"bad","method":"ping"}', -32600],
  'invalid-no-version': ['{"id":"bad","method":"ping"}', -32600],
  'invalid-number': ['7', -32600],
  'invalid-null': ['null', -32600],
} as const).flatMap(([id, [line, code]]): ConformCase[] => {
  const base = {
    revisions: SUPPORTED_VERSIONS,
    section: ERRORS,
    ...outlives(() => line),
    may,
  };
  return [
    {
      ...base,
      id: `${id}-survives`,
      level: 'ROBUSTNESS',
      sentence: 'The server goes on after a line that is no request.',
    },
    {
      ...base,
      id,
      level: 'SHOULD',
      sentence: INVALID[code],
      judge: (observed) => {
        const errors = responsesOf(observed).filter((one) => may(one) && 'error' in one);
        if (errors.length === 0) return `no error answers the line ${line}`;
        const got = toObject(errors[0]?.error).code;
        return got === code ? undefined : `the code must be ${code}, but it is ${short(got)}`;
      },
    },
  ];
});

/** Params that are no object. */
const oddParams: readonly ConformCase[] = Object.entries({ null: null, array: [1], text: 'x', number: 5 }).map(
  ([kind, params]) => ({
    id: `params-${kind}`,
    level: 'ROBUSTNESS',
    revisions: LEGACY_VERSIONS,
    section: REPLIES.section,
    sentence: 'A request whose params are no object has a response.',
    client: 'ap-',
    server: '--(AP)',
    values: () => ({ a: { jsonrpc: '2.0', id: 'own', method: 'tools/list', params }, A: response('a') }),
  }),
);

/** The cases of this file. */
export const BASE: readonly ConformCase[] = [
  {
    id: 'ping',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic/utilities/ping#behavior-requirements',
    sentence: 'The receiver MUST respond promptly with an empty response:',
    official: 'ping',
    ...asks('ping', undefined, result('a', emptyFault)),
  },
  {
    id: 'ping-with-params',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic/utilities/ping#behavior-requirements',
    sentence: 'The receiver MUST respond promptly with an empty response:',
    ...asks('ping', { _meta: { 'com.example/x': 1 } }, result('a')),
  },
  ...unknownMethods,
  ...answered,
  {
    id: 'undeclared-methods',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: ERRORS,
    sentence: NO_METHOD,
    client: 'abcdp-',
    server: '------(ABCDP)',
    values: ({ request, capabilities }) =>
      Object.fromEntries(
        Object.entries(UNDECLARED).flatMap(([capability, method], at) => {
          const letter = 'abcd'.charAt(at);
          const isDeclared = capability in capabilities;
          return [
            [letter, request(isDeclared ? 'no/such/method' : method, { level: 'info' })],
            [letter.toUpperCase(), isDeclared ? response(letter) : failure(letter, [METHOD_NOT_FOUND])],
          ];
        }),
      ),
  },
  ...notifications,
  ...invalid,
  ...oddParams,
];
