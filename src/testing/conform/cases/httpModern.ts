/** Cases of a server behind a URL in 2026-07-28, whose headers repeat the body, and of origins. */
import { toObject } from '../../../protocol/jsonrpc/json';
import { METHOD_NOT_FOUND } from '../../../protocol/jsonrpc/messages';
import { META_VERSION, MODERN_VERSION, UNSUPPORTED_VERSION } from '../../../protocol/mcp/mcp';
import type { ConformCase, Given } from '../conformCase';
import { exchanged, short } from '../expecting';
import type { Exchange } from '../httpExchanges';
import { CONTENT, type Fault, HTTP, has, hasError, hasResult, lettered, withId } from './http';
import { initialize } from './lifecycle';

const MODERN = { ...HTTP, revisions: [MODERN_VERSION] } as const;
const HEADER_MISMATCH = -32_020;
const DISCOVER: Asked = ['server/discover', {}];

type Asked = [method: string, params: object];

/** A request of 2026-07-28 with its headers. */
const modern = (given: Given, [method, params]: Asked, headers: Exchange['headers'] = {}): Exchange => {
  const body = withId(given.request(method, params));
  const named = toObject(params).name ?? toObject(params).uri;
  return {
    headers: {
      ...CONTENT,
      'mcp-protocol-version': String(toObject(toObject(toObject(body).params)._meta)[META_VERSION]),
      'mcp-method': method,
      'mcp-name': typeof named === 'string' ? named : undefined,
      ...headers,
    },
    body,
  };
};

const MISMATCH =
  'Servers that process the request body MUST reject requests where the values specified in the headers do not match the corresponding values in the request body.';

const single = (to: (given: Given) => Exchange, fault: Fault) => ({
  client: 'a-',
  server: '-A',
  values: (given: Given) => ({ ...lettered({ a: to(given) }), A: exchanged('a', fault) }),
});

/** Headers that say something else than the body. */
const mismatched: readonly ConformCase[] = Object.entries({
  'version-other': { 'mcp-protocol-version': '2025-11-25' },
  'method-other': { 'mcp-method': 'tools/list' },
  'method-missing': { 'mcp-method': undefined },
}).map(([kind, headers]) => ({
  id: `http-modern-${kind}`,
  ...MODERN,
  level: 'MUST',
  section: 'basic/transports/streamable-http#server-validation',
  sentence: MISMATCH,
  ...single((given) => modern(given, DISCOVER, headers), hasError(400, HEADER_MISMATCH)),
}));

const ofModern: readonly ConformCase[] = [
  {
    id: 'http-modern-discover',
    ...MODERN,
    level: 'MUST',
    section: 'basic/transports/streamable-http#sending-messages',
    sentence:
      'the server MUST return either Content-Type: application/json (a single JSON object) or Content-Type: text/event-stream (an SSE response stream).',
    ...single((given) => modern(given, DISCOVER), hasResult),
  },
  ...mismatched,
  ...Object.entries({ other: 'another-name', missing: undefined }).map(
    ([kind, name]): ConformCase => ({
      id: `http-modern-name-${kind}`,
      ...MODERN,
      needs: ['http', 'tools'],
      level: 'MUST',
      section: 'basic/transports/streamable-http#server-validation',
      sentence: MISMATCH,
      ...single(
        (given) => modern(given, ['tools/call', { name: 'no-such-tool-4711', arguments: {} }], { 'mcp-name': name }),
        hasError(400, HEADER_MISMATCH),
      ),
    }),
  ),
  {
    id: 'http-modern-name-encoded',
    ...MODERN,
    needs: ['http', 'tool'],
    level: 'MUST',
    section: 'basic/transports/streamable-http#server-validation',
    sentence: 'servers MUST decode encoded values (see Value Encoding) before comparing them to the body value.',
    ...single(
      (given) =>
        modern(given, ['tools/call', { name: given.tool.name, arguments: given.tool.arguments }], {
          'mcp-name': `=?base64?${Buffer.from(given.tool.name).toString('base64')}?=`,
        }),
      hasResult,
    ),
  },
  {
    id: 'http-modern-version-unsupported',
    ...MODERN,
    level: 'MUST',
    section: 'basic/transports/streamable-http#protocol-version-header',
    sentence:
      'it MUST respond with 400 Bad Request and an UnsupportedProtocolVersionError listing its supported versions.',
    ...single(
      (given) => modern(given, ['server/discover', { _meta: { [META_VERSION]: '1999-01-01' } }]),
      hasError(400, UNSUPPORTED_VERSION),
    ),
  },
  {
    id: 'http-modern-unknown-method',
    ...MODERN,
    level: 'MUST',
    section: 'basic/transports/streamable-http#protocol-version-header',
    sentence:
      'If the server does not implement the requested RPC method, it MUST respond with 404 Not Found and a JSON-RPC error with code -32601',
    ...single((given) => modern(given, ['no/such/method', {}]), hasError(404, METHOD_NOT_FOUND)),
  },
  {
    id: 'http-modern-no-session',
    ...MODERN,
    level: 'ROBUSTNESS',
    section: 'basic/transports/streamable-http',
    sentence: 'Sessions are removed: no response names one.',
    ...single(
      (given) => modern(given, DISCOVER),
      ({ session: id }) => (id === '' ? undefined : `it names the session ${short(id)}`),
    ),
  },
];

/** Origins that no server on this machine has. */
const foreign: readonly ConformCase[] = [
  {
    id: 'http-origin-foreign',
    ...HTTP,
    level: 'MUST',
    revisions: ['2025-11-25'],
    section: 'basic/transports#security-warning',
    sentence: 'If the Origin header is present and invalid, servers MUST respond with HTTP 403 Forbidden.',
    ...single(
      ({ revision }) => ({
        headers: { ...CONTENT, origin: 'http://evil.example' },
        body: withId(initialize(revision)),
      }),
      has(403),
    ),
  },
  {
    id: 'http-modern-origin-foreign',
    ...MODERN,
    level: 'MUST',
    section: 'basic/transports/streamable-http#security-endpoint',
    sentence: 'If the Origin header is present and invalid, servers MUST respond with HTTP 403 Forbidden.',
    ...single((given) => modern(given, DISCOVER, { origin: 'http://evil.example' }), has(403)),
  },
];

/** The cases of this file. */
export const HTTP_MODERN: readonly ConformCase[] = [...ofModern, ...foreign];
