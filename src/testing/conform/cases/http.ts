/** Cases of a server behind a URL: statuses, content types, headers. Each letter is a whole exchange of HTTP. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { MODERN_VERSION } from '../../../protocol/mcp/mcp';
import { type Message, notification, request } from '../../messages';
import type { ConformCase, Given } from '../conformCase';
import { exchanged, short } from '../expecting';
import type { Exchange, Exchanged } from '../httpExchanges';
import { SESSION } from '../speaking';
import { initialize } from './lifecycle';

/** What is wrong with an answer; undefined if nothing is. */
export type Fault = (answer: Exchanged) => string | undefined;

/** Revisions with sessions. */
const LEGACY = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** What all cases of HTTP have. */
export const HTTP = { over: 'http', needs: ['http'] } satisfies Partial<ConformCase>;

/** Headers of every POST. */
export const CONTENT = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A message with an id of its own. */
export const withId = (message: object): object => JSON.parse(JSON.stringify(message).replace('"<id>"', '"own"'));

/** The headers of a session. */
const headersOf = ({ revision }: Given): Exchange['headers'] => ({
  ...CONTENT,
  'mcp-session-id': SESSION, // empty if the server gives none
  'mcp-protocol-version': revision === '2025-03-26' ? undefined : revision,
});

const post = (given: Given, body: object | string, headers: Exchange['headers'] = {}): Exchange => ({
  headers: { ...headersOf(given), ...headers },
  body: typeof body === 'string' ? body : withId(body),
});

/** The status is one of these. */
export const has =
  (...statuses: number[]): Fault =>
  ({ status, trouble }) =>
    statuses.includes(status)
      ? undefined
      : `the status must be ${statuses.join(' or ')}, but it is ${trouble ?? status}`;

const fails: Fault = ({ status }) =>
  status >= 400 && status < 500 ? undefined : `the status must be 4xx, but it is ${status}`;

/** The last message is a result. */
export const hasResult: Fault = (answer) => {
  const [last] = answer.messages.slice(-1);
  const fault = has(200)(answer);
  if (fault !== undefined) return fault;
  if (!['application/json', 'text/event-stream'].includes(answer.type))
    return `its content type is ${short(answer.type)}`;
  return 'result' in toObject(last) ? undefined : `a result is due, but it is ${short(last)}`;
};

/** The last message is an error with this code. */
export const hasError =
  (status: number, code: number): Fault =>
  (answer) => {
    const own = toObject(toObject(answer.messages.at(-1)).error).code;
    return has(status)(answer) ?? (own === code ? undefined : `the code must be ${code}, but it is ${short(own)}`);
  };

/** Exchanges with their letters. */
export const lettered = (exchanges: Readonly<Record<string, Exchange>>): Record<string, Message> =>
  Object.fromEntries(Object.entries(exchanges).map(([letter, one]) => [letter, { ...one, letter }]));

type Exchanges = { asked: Readonly<Record<string, Exchange>>; answered: Record<string, Message> };

/** The handshake `i`, `n`, and what follows. */
const session = (client: string, server: string, values: (given: Given) => Exchanges) => ({
  client: `i-n-${client}`,
  server: `-I-N${server}`,
  values: (given: Given) => {
    const { asked, answered } = values(given);
    return {
      ...lettered({
        i: { headers: CONTENT, body: withId(initialize(given.revision)) },
        n: post(given, notification('notifications/initialized')),
        ...asked,
      }),
      I: exchanged('i', hasResult, { $session: (answer) => answer.session }),
      N: exchanged('n', has(202)),
      ...answered,
    };
  },
});

const ping = request('ping');
const TRANSPORT = 'basic/transports#streamable-http';
const SENDING = 'basic/transports#sending-messages-to-the-server';
const MANAGEMENT = 'basic/transports#session-management';

const one = (to: (given: Given) => Exchange, fault: Fault) =>
  session('a-', '-A', (given) => ({ asked: { a: to(given) }, answered: { A: exchanged('a', fault) } }));

const ofSessions: readonly ConformCase[] = [
  {
    id: 'http-initialize',
    ...HTTP,
    level: 'MUST',
    revisions: LEGACY,
    section: SENDING,
    sentence: 'return Content-Type: text/event-stream, to initiate an SSE stream, or Content-Type: application/json',
    ...one((given) => post(given, ping), hasResult),
  },
  {
    id: 'http-notification-accepted',
    ...HTTP,
    level: 'MUST',
    revisions: LEGACY,
    section: SENDING,
    sentence: 'If the server accepts the input, the server MUST return HTTP status code 202 Accepted with no body.',
    ...one((given) => post(given, notification('notifications/no/such')), has(202)),
  },
  {
    id: 'http-response-accepted',
    ...HTTP,
    level: 'MUST',
    revisions: LEGACY,
    section: SENDING,
    sentence:
      'If the server cannot accept the input, it MUST return an HTTP error status code (e.g., 400 Bad Request).',
    ...one(
      (given) => post(given, { jsonrpc: '2.0', id: 'nobody', result: {} }),
      (answer) => (answer.status === 202 ? undefined : fails(answer)),
    ),
  },
  {
    id: 'http-get',
    ...HTTP,
    level: 'MUST',
    revisions: LEGACY,
    section: 'basic/transports#listening-for-messages-from-the-server',
    sentence:
      'The server MUST either return Content-Type: text/event-stream in response to this HTTP GET, or else return HTTP 405 Method Not Allowed',
    ...one(
      (given) => ({
        verb: 'GET',
        headers: { ...headersOf(given), 'content-type': undefined, accept: 'text/event-stream' },
      }),
      (answer) => (answer.status === 200 && answer.type === 'text/event-stream' ? undefined : has(405)(answer)),
    ),
  },
  {
    id: 'http-session-visible',
    ...HTTP,
    level: 'MUST',
    revisions: LEGACY,
    section: MANAGEMENT,
    sentence: 'The session ID MUST only contain visible ASCII characters (ranging from 0x21 to 0x7E).',
    client: 'i-',
    server: '-I',
    values: ({ revision }) => ({
      ...lettered({ i: { headers: CONTENT, body: withId(initialize(revision)) } }),
      I: exchanged('i', ({ session: id }) =>
        /^[\x21-\x7e]*$/.test(id) ? undefined : `the session has the id ${short(id)}`,
      ),
    }),
  },
  {
    id: 'http-session-missing',
    over: 'http',
    needs: ['http', 'httpSession'],
    level: 'SHOULD',
    revisions: LEGACY,
    section: MANAGEMENT,
    sentence:
      'Servers that require a session ID SHOULD respond to requests without an MCP-Session-Id header (other than initialization) with HTTP 400 Bad Request.',
    ...one((given) => post(given, ping, { 'mcp-session-id': undefined }), has(400)),
  },
  {
    id: 'http-session-unknown',
    over: 'http',
    needs: ['http', 'httpSession'],
    level: 'SHOULD',
    revisions: LEGACY,
    section: MANAGEMENT,
    sentence: 'it MUST respond to requests containing that session ID with HTTP 404 Not Found.',
    ...one((given) => post(given, ping, { 'mcp-session-id': 'no-such-session-4711' }), has(404, 400)),
  },
  {
    id: 'http-session-deleted',
    over: 'http',
    needs: ['http', 'httpSession'],
    level: 'MUST',
    revisions: LEGACY,
    section: MANAGEMENT,
    sentence:
      'The server MAY terminate the session at any time, after which it MUST respond to requests containing that session ID with HTTP 404 Not Found.',
    ...session('d-a-', '-D-A', (given) => ({
      asked: { d: { verb: 'DELETE', headers: headersOf(given) }, a: post(given, ping) },
      answered: { D: exchanged('d', has(200, 202, 204, 405)), A: exchanged('a', () => undefined) },
    })),
    judge: ({ lines }) => {
      const [deleted, answer] = lines
        .filter(({ dir }) => dir === 'out')
        .slice(-2)
        .map(({ line }) => toObject(JSON.parse(line)));
      return deleted?.status === 405 || answer?.status === 404
        ? undefined
        : `a request of the session that was deleted has the status ${short(answer?.status)}`;
    },
  },
  {
    id: 'http-version-unsupported',
    ...HTTP,
    level: 'MUST',
    revisions: ['2025-06-18', '2025-11-25'],
    section: 'basic/transports#protocol-version-header',
    sentence:
      'If the server receives a request with an invalid or unsupported MCP-Protocol-Version, it MUST respond with 400 Bad Request.',
    ...one((given) => post(given, ping, { 'mcp-protocol-version': '1999-01-01' }), has(400)),
  },
  {
    id: 'http-version-missing',
    ...HTTP,
    level: 'SHOULD',
    revisions: ['2025-06-18', '2025-11-25'],
    section: 'basic/transports#protocol-version-header',
    sentence: 'the server SHOULD assume protocol version 2025-03-26.',
    ...one((given) => post(given, ping, { 'mcp-protocol-version': undefined }), hasResult),
  },
];

/** Requests that no client sends: they are the client's fault, and no reason to break. */
const flawed: readonly ConformCase[] = (
  [
    ['body-broken', '{"jsonrpc":', {}],
    ['body-empty', '', {}],
    ['body-text', 'hello', { 'content-type': 'text/plain' }],
    ['accept-none', JSON.stringify({ ...ping, id: 'own' }), { accept: 'image/png' }],
  ] as const
).map(([kind, body, headers]) => ({
  id: `http-${kind}`,
  ...HTTP,
  level: 'ROBUSTNESS',
  revisions: [...LEGACY, MODERN_VERSION],
  section: TRANSPORT,
  sentence: 'A request that is none has a status of its client’s fault.',
  client: 'a-',
  server: '-A',
  values: () => ({ ...lettered({ a: { headers: { ...CONTENT, ...headers }, body } }), A: exchanged('a', fails) }),
}));

/** The cases of this file. */
export const HTTP_CASES: readonly ConformCase[] = [...ofSessions, ...flawed];
