/** Cases of an agent of ACP before it has a session: the handshake and logins. */
import { isObject, toObject } from '../../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../../protocol/jsonrpc/messages';
import { request } from '../../../messages';
import type { ConformCase } from '../../conformCase';
import { asksAlive, BAD_PARAMS, failure, REPLIES, response, result, sends, short } from '../../expecting';
import { greet, OFFERED, open } from '../../speaking';
import { SILENT_START } from '../ending';
import { AGENT } from './row';

const FIRST = { ...AGENT, opening: 'none' } as const;
const GREETED = { ...AGENT, opening: 'handshake' } as const;

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

/** The cases of this file. */
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
    ...SILENT_START,
  },
  ...logins,
];
