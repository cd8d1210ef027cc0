/** Cases of the handshake, which revisions before 2026-07-28 have. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { LEGACY_VERSIONS, MODERN_VERSION } from '../../../protocol/mcp/mcp';
import { request } from '../../messages';
import type { ConformCase } from '../conformCase';
import { failure, response, result, short } from '../expecting';

const INVALID_PARAMS = -32602;
const INVALID_REQUEST = -32600;

/** An `initialize` as a client sends it. */
export const initialize = (protocolVersion: unknown, more: object = {}) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '1' }, ...more });

const KNOWN: readonly unknown[] = ['2024-10-07', ...LEGACY_VERSIONS];

const offered = (letter: string) =>
  result(letter, ({ result: { protocolVersion } = {} }: { result?: { protocolVersion?: unknown } }) =>
    KNOWN.includes(protocolVersion)
      ? undefined
      : `it offers ${short(protocolVersion)}, which is no revision with a handshake`,
  );

const VERSIONS = 'basic/lifecycle#version-negotiation';
const OTHERWISE = 'Otherwise, the server MUST respond with another protocol version it supports.';

const negotiated = LEGACY_VERSIONS.map(
  (version): ConformCase => ({
    id: `initialize-${version}`,
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: VERSIONS,
    sentence: 'If the server supports the requested protocol version, it MUST respond with the same version.',
    opening: 'none',
    client: 'a-np-',
    server: '-A--P',
    values: () => ({
      a: initialize(version),
      A: offered('a'),
      n: { jsonrpc: '2.0', method: 'notifications/initialized' },
    }),
  }),
);

const UNKNOWN = {
  'initialize-unknown-old': '1999-01-01',
  'initialize-unknown-future': '2099-12-31',
  'initialize-no-version': 'banana',
};

const unknown = Object.entries(UNKNOWN).map(
  ([id, version]): ConformCase => ({
    id,
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: VERSIONS,
    sentence: OTHERWISE,
    opening: 'none',
    client: 'a-',
    server: '-A',
    values: () => ({
      a: initialize(version),
      A: response('a', ({ result: outcome, error }) => {
        if (error !== undefined)
          return toObject(error).code === INVALID_PARAMS ? undefined : `it refuses with ${short(error)}`;
        const { protocolVersion } = toObject(outcome);
        return KNOWN.includes(protocolVersion) ? undefined : `it answers ${short(protocolVersion)}`;
      }),
    }),
  }),
);

const MALFORMED = {
  'initialize-without-params': undefined,
  'initialize-empty-params': {},
  'initialize-wrong-types': { protocolVersion: 5, capabilities: [], clientInfo: 'x' },
};

const malformed = Object.entries(MALFORMED).map(
  ([id, params]): ConformCase => ({
    id,
    level: 'SHOULD',
    revisions: LEGACY_VERSIONS,
    section: 'https://www.jsonrpc.org/specification#error_object',
    sentence: '-32602 Invalid params: Invalid method parameter(s).',
    opening: 'none',
    client: 'a-',
    server: '-A',
    values: () => ({ a: request('initialize', params), A: failure('a', [INVALID_PARAMS, INVALID_REQUEST]) }),
  }),
);

/** What is wrong with the result of `initialize`. Source: 2025-11-25 schema, InitializeResult. */
const shapeFault = ({
  capabilities,
  serverInfo,
  instructions,
}: Readonly<Record<string, unknown>>): string | undefined => {
  if (!isObject(capabilities)) return 'capabilities is no object';
  const { name, version } = toObject(serverInfo);
  if (typeof name !== 'string' || typeof version !== 'string') return `serverInfo is ${short(serverInfo)}`;
  if (instructions !== undefined && typeof instructions !== 'string') return 'instructions is no text';
  const flawed = Object.entries(capabilities).find(
    ([, value]) =>
      !isObject(value) ||
      !['listChanged', 'subscribe'].every((flag) => ['boolean', 'undefined'].includes(typeof value[flag])),
  );
  return flawed && `the capability ${flawed[0]} is ${short(flawed[1])}`;
};

/** All of them. */
export const LIFECYCLE: readonly ConformCase[] = [
  ...negotiated,
  ...unknown,
  ...malformed,
  {
    id: 'initialize-modern-version',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: VERSIONS,
    sentence: OTHERWISE,
    opening: 'none',
    client: 'a-',
    server: '-A',
    values: () => ({
      a: initialize(MODERN_VERSION),
      A: response('a', ({ result: outcome }) => {
        const { protocolVersion } = toObject(outcome);
        return outcome === undefined || KNOWN.includes(protocolVersion)
          ? undefined
          : `it agrees on ${short(protocolVersion)}, which has no initialize`;
      }),
    }),
  },
  {
    id: 'initialize-result',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic/lifecycle#initialization',
    sentence: 'The server MUST respond with its own capabilities and information:',
    official: 'server-initialize',
    opening: 'none',
    client: 'a-',
    server: '-A',
    values: ({ revision }) => ({
      a: initialize(revision),
      A: result('a', ({ result: outcome }) => shapeFault(toObject(outcome))),
    }),
  },
  {
    id: 'initialize-text-id',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic#requests',
    sentence: 'Requests MUST include a string or integer ID.',
    opening: 'none',
    client: 'a-',
    server: '-A',
    values: ({ revision }) => ({ a: { ...initialize(revision), id: 'first-ü🦀' }, A: result('a') }),
  },
  {
    id: 'initialize-open-capabilities',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'schema#clientcapabilities',
    sentence:
      'Known capabilities are defined here, in this schema, but this is not a closed set: any client can define its own, additional capabilities.',
    opening: 'none',
    client: 'a-np-',
    server: '-A--P',
    values: ({ revision }) => ({
      a: initialize(revision, {
        capabilities: {
          experimental: { 'x/y': { z: 1 } },
          roots: { listChanged: true },
          unheardOf: { a: [] },
          extensions: { 'com.example/x': {} },
        },
        clientInfo: { name: 'ünïcode 🦀', version: '0', title: 'Title', websiteUrl: 'https://example.com' },
        _meta: { 'com.example/x': { deep: [1] } },
      }),
      A: result('a'),
      n: { jsonrpc: '2.0', method: 'notifications/initialized' },
    }),
    capabilities: { roots: { listChanged: true } },
  },
  {
    id: 'initialize-ping-in-flight',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'basic/utilities/ping#behavior-requirements',
    sentence: 'The receiver MUST respond promptly with an empty response:',
    opening: 'none',
    client: '(ap)--',
    server: '----(AP)',
    values: ({ revision }) => ({ a: initialize(revision), A: result('a') }),
  },
];
