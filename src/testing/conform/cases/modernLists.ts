/** Cases of 2026-07-28: hints for caches, levels of logs, streams of notifications. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../protocol/jsonrpc/messages';
import { META_LOG_LEVEL, META_SUBSCRIPTION, MODERN_VERSION } from '../../../protocol/mcp/mcp';
import { idOf, notification } from '../../messages';
import type { ConformCase } from '../conformCase';
import { asks, asksAlive, BAD_PARAMS, failure, notified, result, short } from '../expecting';

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

/** All of them. */
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
