/** Cases of the handshake, which revisions before 2026-07-28 have. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, INVALID_REQUEST } from '../../../protocol/jsonrpc/messages';
import { LEGACY_VERSIONS, MODERN_VERSION } from '../../../protocol/mcp/mcp';
import { type Message, notification, request } from '../../messages';
import type { Values } from '../../phase';
import type { ConformCase, Given } from '../conformCase';
import { BAD_PARAMS, failure, response, result, sends, short } from '../expecting';

/** An `initialize` as a client sends it. */
export const initialize = (protocolVersion: unknown, more: object = {}) =>
  request('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'client', version: '1' }, ...more });

/** What a client sends after the answer. */
export const INITIALIZED = notification('notifications/initialized');

const KNOWN: readonly unknown[] = ['2024-10-07', ...LEGACY_VERSIONS];

const offered = (letter: string) =>
  result(letter, ({ result: { protocolVersion } = {} }: { result?: { protocolVersion?: unknown } }) =>
    KNOWN.includes(protocolVersion)
      ? undefined
      : `it offers ${short(protocolVersion)}, which is no revision with a handshake`,
  );

const VERSIONS = 'basic/lifecycle#version-negotiation';

/** The client begins with this message; nothing is sent before. */
const opens = (toValue: (given: Given) => Values[string], answer: Message) =>
  ({ revisions: LEGACY_VERSIONS, opening: 'none', ...sends(toValue, answer) }) as const;

const OTHERWISE = {
  level: 'MUST',
  section: VERSIONS,
  sentence: 'Otherwise, the server MUST respond with another protocol version it supports.',
} as const;

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
      n: INITIALIZED,
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
    ...OTHERWISE,
    ...opens(
      () => initialize(version),
      response('a', ({ result: outcome, error }) => {
        if (error !== undefined)
          return toObject(error).code === INVALID_PARAMS ? undefined : `it refuses with ${short(error)}`;
        const { protocolVersion } = toObject(outcome);
        return KNOWN.includes(protocolVersion) ? undefined : `it answers ${short(protocolVersion)}`;
      }),
    ),
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
    ...BAD_PARAMS,
    ...opens(() => request('initialize', params), failure('a', [INVALID_PARAMS, INVALID_REQUEST])),
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

/** The cases of this file. */
export const LIFECYCLE: readonly ConformCase[] = [
  ...negotiated,
  ...unknown,
  ...malformed,
  {
    id: 'initialize-modern-version',
    ...OTHERWISE,
    ...opens(
      () => initialize(MODERN_VERSION),
      response('a', ({ result: outcome }) => {
        const { protocolVersion } = toObject(outcome);
        return outcome === undefined || KNOWN.includes(protocolVersion)
          ? undefined
          : `it agrees on ${short(protocolVersion)}, which has no initialize`;
      }),
    ),
  },
  {
    id: 'initialize-result',
    level: 'MUST',
    section: 'basic/lifecycle#initialization',
    sentence: 'The server MUST respond with its own capabilities and information:',
    official: 'server-initialize',
    ...opens(
      ({ revision }) => initialize(revision),
      result('a', ({ result: outcome }) => shapeFault(toObject(outcome))),
    ),
  },
  {
    id: 'initialize-text-id',
    level: 'MUST',
    section: 'basic#requests',
    sentence: 'Requests MUST include a string or integer ID.',
    ...opens(({ revision }) => ({ ...initialize(revision), id: 'first-ü🦀' }), result('a')),
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
      n: INITIALIZED,
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
