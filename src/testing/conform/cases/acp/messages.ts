/** Cases of messages that an agent of ACP does not know, and of all that JSON-RPC and lines demand, as of a server of MCP. */
import { METHOD_NOT_FOUND } from '../../../../protocol/jsonrpc/messages';
import { notification, request } from '../../../messages';
import { ACP_1, type ConformCase, type Sentence } from '../../conformCase';
import { asksAlive, failure, outlives, response } from '../../expecting';
import { BYTES_CASES } from '../bytes';
import { ENDING } from '../ending';
import { FRAMING } from '../framing';
import { IDS } from '../ids';
import { LOAD } from '../load';
import { AGENT } from './row';

const GREETED = { ...AGENT, opening: 'handshake' } as const;

type Demand = Pick<Sentence, 'section' | 'sentence' | 'level'>;

const JSON_RPC = 'https://www.jsonrpc.org/specification#response_object';
const FRAMES: Demand = {
  level: 'MUST',
  section: 'transports#stdio',
  sentence: 'Messages are delimited by newlines (\\n), and MUST NOT contain embedded newlines.',
};

/** What the pages of ACP demand instead of a sentence of MCP, by its first words. */
const DEMANDS: Readonly<Record<string, Demand>> = {
  'Result responses MUST': {
    level: 'MUST',
    section: JSON_RPC,
    sentence: 'It MUST be the same as the value of the id member in the Request Object.',
  },
  'Messages are delimited': FRAMES,
  'The server MUST NOT write': {
    level: 'MUST',
    section: 'transports#stdio',
    sentence: 'The agent MUST NOT write anything to its stdout that is not a valid ACP message.',
  },
  'All messages between': { level: 'MUST', section: 'transports', sentence: 'ACP uses JSON-RPC to encode messages.' },
  'Servers SHOULD exit': {
    level: 'ROBUSTNESS',
    section: 'transports#stdio',
    sentence: 'The agent ends with its input.',
  },
  'Waiting for the server': { level: 'ROBUSTNESS', section: 'transports#stdio', sentence: 'SIGTERM ends the agent.' },
};

/** A case or a rule that only looks at lines, ids and processes, as one of agents. */
export const asAgent = <T extends Sentence>(one: T): T => {
  const [, demand] = Object.entries(DEMANDS).find(([words]) => one.sentence.startsWith(words)) ?? [];
  const section = one.section.startsWith('https://') ? one.section : 'transports#stdio';
  return { ...one, section, ...demand, id: `acp-${one.id}`, revisions: [ACP_1] };
};

/** Not of ACP: batches, and what asks for methods of MCP. */
const OF_MCP = /^batch|^silent-start$|^end-of-input-pending$/;

const ofLines: readonly ConformCase[] = [...IDS, ...FRAMING, ...BYTES_CASES, ...LOAD, ...ENDING]
  .filter(({ id }) => !OF_MCP.test(id))
  .map((one) => ({ ...asAgent(one), opening: one.opening ?? 'handshake' }));

const unknown: readonly ConformCase[] = Object.entries({
  'unknown-method': 'no/such/method',
  'unknown-method-custom': '_example.com/none',
  'unknown-method-of-object': 'constructor',
  'unknown-method-proto': '__proto__',
  'unknown-method-session': 'session/no_such_method',
  'unknown-method-of-client': 'session/request_permission',
  'unknown-method-of-mcp': 'tools/list',
}).map(([id, method]) => ({
  id: `acp-${id}`,
  level: 'SHOULD',
  ...GREETED,
  section: 'extensibility#custom-requests',
  sentence: 'it should respond with the standard “Method not found” error:',
  ...asksAlive(method, {}, failure('a', [METHOD_NOT_FOUND])),
}));

const NO_RESPONSE = 'Notifications never receive responses (success or error)';

const silent = (id: string, message: object, more: Partial<ConformCase> = {}): ConformCase => ({
  id: `acp-${id}`,
  level: 'MUST',
  ...GREETED,
  section: 'overview#error-handling',
  sentence: NO_RESPONSE,
  ...outlives(() => ({ jsonrpc: '2.0', ...message })),
  ...more,
});

const notifications: readonly ConformCase[] = [
  silent('notification-custom', { method: '_example.com/note', params: {} }),
  silent('notification-unknown', { method: 'no/such/notification', params: {} }),
  silent('notification-of-request', { method: 'session/new', params: {} }),
  silent('notification-without-params', { method: 'session/cancel' }),
  silent('notification-bad-params', { method: 'session/cancel', params: { sessionId: 7 } }),
  silent('cancel-unknown-session', { method: 'session/cancel', params: { sessionId: 'no-such-session-4711' } }),
  silent('cancel-unknown-request', { method: '$/cancel_request', params: { requestId: 4711 } }),
  silent(
    'response-unknown-id',
    { id: 987_654, result: {} },
    { level: 'ROBUSTNESS', sentence: 'A response to no request is left alone.' },
  ),
  silent(
    'error-unknown-id',
    { id: 'nobody', error: { code: 1, message: 'x' } },
    { level: 'ROBUSTNESS', sentence: 'An error to no request is left alone.' },
  ),
];

/** The cases of this file. */
export const ACP_MESSAGES: readonly ConformCase[] = [
  ...unknown,
  ...notifications,
  {
    id: 'acp-cancel-answered-request',
    level: 'ROBUSTNESS',
    ...GREETED,
    section: 'cancellation#%24%2Fcancel-request-notification',
    sentence: 'A cancellation of an answered request is left alone.',
    client: 'a-cp-',
    server: '-A--P',
    values: () => ({
      a: request('_example.com/none', {}),
      A: response('a'),
      c: notification('$/cancel_request', { requestId: '<id of a>' }),
    }),
  },
  ...ofLines,
];
