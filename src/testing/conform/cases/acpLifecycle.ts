/** Cases of an agent of ACP before it has a session: the handshake, logins, what it does with messages that nobody knows, and all that JSON-RPC demands. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../protocol/jsonrpc/messages';
import { notification, request } from '../../messages';
import { ACP_1, type ConformCase } from '../conformCase';
import { asksAlive, BAD_PARAMS, failure, outlives, REPLIES, response, result, sends, short } from '../expecting';
import { greet, OFFERED, open } from '../speaking';
import { ENDING } from './ending';
import { FRAMING } from './framing';
import { IDS } from './ids';
import { LOAD } from './load';

const AGENT = { revisions: [ACP_1] } as const;
const FIRST = { ...AGENT, opening: 'none' } as const;
const GREETED = { ...AGENT, opening: 'handshake' } as const;

/** Pages of both specifications on the same matter. */
const PAGES: Readonly<Record<string, string>> = {
  'basic/transports#stdio': 'transports#stdio',
  'basic/lifecycle#shutdown': 'transports#stdio',
};

/** A case that only looks at lines, ids and processes is one of both protocols. */
export const asAgent = <T extends Pick<ConformCase, 'id' | 'section' | 'revisions'>>(one: T): T => ({
  ...one,
  id: `acp-${one.id}`,
  revisions: [ACP_1],
  section: one.section.startsWith('https://') ? one.section : (PAGES[one.section] ?? 'overview#error-handling'),
});

/** Not of ACP: batches, and what asks for methods of MCP. */
const OF_MCP = /^batch|^silent-start$|^end-of-input-pending$/;

const ofLines: readonly ConformCase[] = [...IDS, ...FRAMING, ...LOAD, ...ENDING]
  .filter(({ id }) => !OF_MCP.test(id))
  .map((one) => ({ ...asAgent(one), opening: one.opening ?? 'handshake' }));

const NEGOTIATION = 'initialization#version-negotiation';

const versioned = (fits: (version: number) => boolean) =>
  result('a', ({ result: outcome }) => {
    const { protocolVersion } = toObject(outcome);
    const isVersion = Number.isInteger(protocolVersion) && fits(Number(protocolVersion));
    return isVersion ? undefined : `its protocolVersion is ${short(protocolVersion)}`;
  });

/** Versions that do not exist yet. */
const future: readonly ConformCase[] = [2, 99, 65_535].map((version) => ({
  id: `acp-initialize-version-${version}`,
  level: 'MUST',
  ...FIRST,
  section: NEGOTIATION,
  sentence: 'Otherwise, the Agent MUST respond with the latest version it supports.',
  ...sends(
    () => greet({}, version),
    versioned((own) => own >= 1 && own <= version),
  ),
}));

const badVersions: readonly ConformCase[] = Object.entries({
  missing: undefined,
  null: null,
  text: 'one',
  negative: -1,
  fraction: 1.5,
}).map(([kind, version]) => ({
  id: `acp-initialize-bad-version-${kind}`,
  ...BAD_PARAMS,
  ...FIRST,
  ...asksAlive('initialize', { protocolVersion: version, clientCapabilities: {} }, failure('a', [INVALID_PARAMS])),
}));

/** Capabilities that a client may leave out, or that a later version has. */
const capable: readonly ConformCase[] = Object.entries({
  missing: undefined,
  empty: {},
  null: { fs: null, terminal: null, elicitation: null },
  later: { later: { a: 1 }, _meta: { 'example.com/x': true } },
}).map(([kind, capabilities]) => ({
  id: `acp-initialize-capabilities-${kind}`,
  level: kind === 'missing' || kind === 'empty' ? 'MUST' : 'ROBUSTNESS',
  ...FIRST,
  section: 'initialization#capabilities',
  sentence: 'All capabilities included in the initialize request are OPTIONAL.',
  ...sends(
    () => request('initialize', { protocolVersion: OFFERED, clientCapabilities: capabilities }),
    versioned((own) => own === OFFERED),
  ),
}));

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

const NO_AUTH = 'no-such-auth-method-4711';

const logins: readonly ConformCase[] = [
  {
    id: 'acp-authenticate-unknown',
    level: 'SHOULD',
    ...GREETED,
    section: 'authentication#protocol-driven-authentication',
    sentence: 'The ID of an advertised authentication method whose type defines the authenticate flow.',
    ...asksAlive('authenticate', { methodId: NO_AUTH }, failure('a')),
  },
  ...Object.entries({ missing: {}, number: { methodId: 7 }, null: { methodId: null } }).map(
    ([kind, params]): ConformCase => ({
      id: `acp-authenticate-bad-id-${kind}`,
      ...BAD_PARAMS,
      ...GREETED,
      ...asksAlive('authenticate', params, failure('a', [INVALID_PARAMS])),
    }),
  ),
  {
    id: 'acp-authenticate-ids-differ',
    level: 'ROBUSTNESS',
    ...FIRST,
    section: 'authentication#advertising-authentication',
    sentence: 'The ids of the authentication methods differ.',
    ...sends(
      () => greet({ auth: { terminal: true } }),
      result('a', ({ result: outcome }) => {
        const { authMethods } = toObject(outcome);
        const ids = Array.isArray(authMethods) ? authMethods.map((one) => toObject(one).id) : [];
        return new Set(ids).size === ids.length ? undefined : `its authMethods are ${short(ids)}`;
      }),
    ),
  },
  {
    id: 'acp-session-new-auth-required',
    level: 'MUST',
    ...GREETED,
    section: 'https://agentclientprotocol.com/protocol/v1/schema#errorcode',
    sentence: 'Authentication is required before this operation can be performed.',
    needs: ['noLogin'],
    ...sends((given) => open(given), failure('a', [-32_000])),
  },
];

/** All of them. */
export const ACP_LIFECYCLE: readonly ConformCase[] = [
  {
    id: 'acp-initialize',
    level: 'MUST',
    ...FIRST,
    section: NEGOTIATION,
    sentence: 'If the Agent supports the requested version, it MUST respond with the same version.',
    ...sends(
      () => greet(),
      versioned((own) => own === OFFERED),
    ),
  },
  {
    id: 'acp-initialize-agent-capabilities',
    level: 'SHOULD',
    ...FIRST,
    section: 'initialization#agent-capabilities',
    sentence: 'The Agent SHOULD specify whether it supports the following capabilities:',
    ...sends(
      () => greet(),
      result('a', ({ result: outcome }) => {
        const { agentCapabilities } = toObject(outcome);
        return isObject(agentCapabilities) ? undefined : `its agentCapabilities are ${short(agentCapabilities)}`;
      }),
    ),
  },
  {
    id: 'acp-initialize-agent-info',
    level: 'SHOULD',
    ...FIRST,
    section: 'initialization#implementation-information',
    sentence: 'Both Clients and Agents SHOULD provide information about their implementation',
    ...sends(
      () => greet(),
      result('a', ({ result: outcome }) => {
        const { name, version } = toObject(toObject(outcome).agentInfo);
        return typeof name === 'string' && typeof version === 'string'
          ? undefined
          : 'its agentInfo has no name or version';
      }),
    ),
  },
  ...future,
  ...badVersions,
  ...capable,
  {
    id: 'acp-initialize-twice',
    ...REPLIES,
    level: 'ROBUSTNESS',
    ...GREETED,
    sentence: 'A second initialize has a response, and the agent goes on.',
    ...asksAlive('initialize', { protocolVersion: OFFERED, clientCapabilities: {} }, response('a')),
  },
  {
    id: 'acp-session-new-before-initialize',
    ...REPLIES,
    level: 'ROBUSTNESS',
    ...FIRST,
    sentence: 'A session/new before initialize has a response, and initialize works afterwards.',
    client: 'b-a-',
    server: '-B-A',
    values: (given) => ({ b: open(given), B: response('b'), a: greet(), A: result('a') }),
  },
  {
    id: 'acp-silent-start',
    needs: ['process'],
    level: 'MUST',
    ...FIRST,
    section: 'initialization',
    sentence:
      'Before a Session can be created, Clients MUST initialize the connection by calling the initialize method',
    ending: 'anyhow',
    client: '|',
    server: '-',
    judge: ({ lines }) => {
      const early = lines.find(({ dir, line }) => dir === 'out' && line.trim() !== '');
      return early && `it sends ${early.line.slice(0, 100)} before anybody asks`;
    },
  },
  ...logins,
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
