/** Cases of 2026-07-28, which has no handshake: each request says in `_meta` what it needs. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../../../protocol/jsonrpc/messages';
import {
  META_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_SERVER_INFO,
  META_SUBSCRIPTION,
  META_VERSION,
  MODERN_VERSION,
  UNSUPPORTED_VERSION,
} from '../../../protocol/mcp/mcp';
import { idOf, notification, request } from '../../messages';
import type { ConformCase } from '../conformCase';
import { asks, asksAlive, BAD_PARAMS, failure, notified, response, result, sends, short } from '../expecting';
import { messagesOf } from '../observed';
import { initialize } from './lifecycle';

const MODERN = [MODERN_VERSION] as const;

/** What is wrong with the hints of a result; undefined if nothing is. */
export const hintFault = ({ result: outcome }: Readonly<Record<string, unknown>>): string | undefined => {
  const { ttlMs, cacheScope } = toObject(outcome);
  if (typeof ttlMs !== 'number' || ttlMs < 0) return `ttlMs is ${short(ttlMs)}`;
  return ['public', 'private'].includes(String(cacheScope)) ? undefined : `cacheScope is ${short(cacheScope)}`;
};

/** The lists, by the capability that they need. */
const CACHEABLE = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resources',
} as const;

const cached: readonly ConformCase[] = Object.entries(CACHEABLE).map(([method, need]) => ({
  id: `modern-cache-hints-${method.replaceAll('/', '-')}`,
  level: 'MUST',
  revisions: MODERN,
  section: 'server/utilities/caching#cacheable-results',
  sentence: 'Servers MUST include caching hints on results with resultType: "complete" returned by',
  needs: [need],
  ...asks(method, {}, result('a', hintFault)),
}));

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** The cases of lists. */
export const MODERN_LISTS: readonly ConformCase[] = [
  ...cached,
  {
    id: 'modern-log-level-invalid',
    level: 'SHOULD',
    revisions: MODERN,
    section: 'server/utilities/logging#error-handling',
    sentence: 'is not a recognized log level, the server SHOULD reject that',
    needs: ['logging'],
    ...asks('server/discover', { _meta: { [META_LOG_LEVEL]: 'loud' } }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'modern-listen-acknowledged',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic/patterns/subscriptions#acknowledgment',
    sentence: 'The server MUST send notifications/subscriptions/acknowledged as the first message',
    needs: ['changing'],
    client: 'l-cp-',
    server: '-K--P',
    values: ({ request }) => ({
      l: request('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      K: notified(ACKNOWLEDGED, { [META_SUBSCRIPTION]: idOf('l') }),
      c: notification('notifications/cancelled', { requestId: idOf('l') }),
    }),
    may: (value) =>
      isObject(value) && 'result' in value && toObject(toObject(value.result)._meta)[META_SUBSCRIPTION] !== undefined,
  },
  {
    id: 'modern-listen-bad-params',
    ...BAD_PARAMS,
    revisions: MODERN,
    needs: ['changing'],
    ...asksAlive('subscriptions/listen', { notifications: 'all' }, failure('a', [INVALID_PARAMS])),
  },
];

/** A probe whose `_meta` has other members; undefined takes one away. */
const withMeta = (probe: object, members: object): { readonly [member: string]: unknown } => {
  const { params, ...rest } = probe as { params: { _meta: object } };
  const meta = Object.entries({ ...params._meta, ...members }).filter(([, value]) => value !== undefined);
  return { ...rest, params: { ...params, _meta: Object.fromEntries(meta) } };
};

const versions = {
  'modern-version-old': '1999-01-01',
  'modern-version-future': '2099-12-31',
  'modern-version-legacy': '2025-11-25',
};

const unsupported: readonly ConformCase[] = Object.entries(versions).map(([id, version]) => ({
  id,
  level: 'MUST',
  revisions: MODERN,
  section: 'basic/versioning#protocol-version-negotiation',
  sentence: 'it MUST respond with an UnsupportedProtocolVersionError listing the versions it does support:',
  ...sends(
    ({ probe }) => withMeta(probe(), { [META_VERSION]: version }),
    failure('a', [UNSUPPORTED_VERSION], ({ data }) => {
      const { supported, requested } = toObject(data);
      if (requested !== version) return `data.requested must be ${version}, but it is ${short(requested)}`;
      return Array.isArray(supported) && supported.includes(MODERN_VERSION)
        ? undefined
        : `data.supported is ${short(supported)}`;
    }),
  ),
}));

const missing: readonly ConformCase[] = Object.entries({
  'modern-no-version': { [META_VERSION]: undefined },
  'modern-no-capabilities': { [META_CAPABILITIES]: undefined },
  'modern-version-number': { [META_VERSION]: 20260728 },
  'modern-capabilities-text': { [META_CAPABILITIES]: 'none' },
}).map(([id, members]) => ({
  id,
  level: 'MUST',
  revisions: MODERN,
  section: 'basic#meta',
  sentence:
    'A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code -32602 (Invalid params).',
  client: 'p-a-',
  server: '-P-A',
  values: ({ probe }) => ({ a: withMeta(probe(), members), A: failure('a', [INVALID_PARAMS]) }),
}));

const removed: readonly ConformCase[] = [
  'ping',
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
].map((method) => ({
  id: `modern-removed-${method.replace('/', '-')}`,
  level: 'MUST',
  revisions: MODERN,
  section: 'https://www.jsonrpc.org/specification#error_object',
  sentence: '-32601 Method not found: The method does not exist / is not available.',
  client: 'p-a-',
  server: '-P-A',
  values: ({ request }) => ({ a: request(method, { level: 'info', uri: 'x:y' }), A: failure('a', [METHOD_NOT_FOUND]) }),
}));

const discoverFault = ({ result: outcome }: Readonly<Record<string, unknown>>): string | undefined => {
  const { supportedVersions, capabilities } = toObject(outcome);
  if (!Array.isArray(supportedVersions) || !supportedVersions.includes(MODERN_VERSION))
    return `supportedVersions is ${short(supportedVersions)}`;
  return isObject(capabilities) ? hintFault({ result: outcome }) : `capabilities is ${short(capabilities)}`;
};

/** The other cases of 2026-07-28. */
export const MODERN_CASES: readonly ConformCase[] = [
  {
    id: 'modern-discover',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic/versioning#protocol-version-negotiation',
    sentence: 'Servers MUST implement server/discover.',
    ...sends(({ probe }) => probe(), result('a', discoverFault)),
  },
  {
    id: 'modern-server-info',
    level: 'SHOULD',
    revisions: MODERN,
    section: 'basic#meta',
    sentence: 'Servers SHOULD include the following io.modelcontextprotocol/* field in',
    ...sends(
      ({ probe }) => probe(),
      result('a', ({ result: outcome }) => {
        const info = toObject(toObject(outcome)._meta)[META_SERVER_INFO];
        return typeof toObject(info).name === 'string' ? undefined : `${META_SERVER_INFO} is ${short(info)}`;
      }),
    ),
  },
  {
    id: 'modern-no-handshake',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic#statelessness',
    sentence: 'Servers MUST NOT rely on prior requests over the same connection to',
    needs: ['tools'],
    ...asks('tools/list', {}, result('a')),
  },
  ...unsupported,
  ...missing,
  {
    id: 'modern-no-meta',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic#meta',
    sentence:
      'A request missing any required field is malformed; the server MUST reject it with JSON-RPC error code -32602 (Invalid params).',
    needs: ['tools'],
    client: 'p-a-',
    server: '-P-A',
    values: () => ({
      a: request('tools/list', {}),
      A: failure('a', [INVALID_PARAMS]),
    }),
  },
  {
    id: 'modern-client-info-optional',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic#meta',
    sentence: 'fields marked as required MUST be included on every request.',
    ...sends(({ probe }) => withMeta(probe(), { [META_CLIENT_INFO]: undefined }), result('a')),
  },
  ...removed,
  {
    id: 'modern-bare-notification',
    level: 'MUST',
    revisions: MODERN,
    section: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    sentence: 'A request carrying modern per-request _meta is served statelessly',
    client: 'np-',
    server: '--P',
    values: () => ({ n: notification('notifications/initialized') }),
  },
  {
    id: 'modern-after-initialize',
    level: 'ROBUSTNESS',
    revisions: MODERN,
    section: 'basic/versioning#backward-compatibility-with-initialization-based-versions',
    sentence: 'A server of both kinds has a response to initialize after server/discover.',
    client: 'p-a-',
    server: '-P-A',
    values: () => ({ a: initialize('2025-11-25'), A: response('a') }),
    judge: (observed) =>
      messagesOf(observed, 'out').some(({ method, id }) => method !== undefined && id !== undefined)
        ? 'it sends a request'
        : undefined,
  },
];
