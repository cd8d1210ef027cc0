/** The HTTP edge of model calls and of MCP servers behind a URL: one request, its response as a stream of text, decompressed. */
import { Observable } from 'rxjs';
import { lazy } from '../../lazy';
import { type Backpressure, recentMap } from '../../streams';
import { trustOf } from './certificates';
import { connections, sendDirect, type Target, toTarget } from './direct';
import { type HttpClient, type HttpClientDeps, httpClients } from './httpClients';
import type { HttpPost, HttpResponse } from './httpRequest';
import { proxyOf } from './proxyOf';

/** @param backpressure after a chunk the response pauses while `isFull()`, until `drain$` emits */
export type HttpPostDeps = HttpClientDeps & { backpressure: Backpressure };

/** Where a request goes. */
type Way = { kind: 'direct'; target: Target } | { kind: 'proxied'; client: HttpClient };

/** Most requests go to one address, which is parsed only once. */
const KEPT_ADDRESSES = 16;

/** Loaded by the first request that goes through a proxy. */
const proxied = /* @__PURE__ */ lazy(() => require('./sendThroughProxy') as typeof import('./sendThroughProxy'));

/**
 * Sends one request.
 * Emits one HttpResponse; completes when its body is over; errors when no response comes. A body that breaks errors in `body$`.
 * Unsubscribing, here or from `body$`, ends the request: at once, or after 100 ms when a response has begun.
 * Source: RFC 9112; Node 20, http.Agent, for what is kept.
 */
export const httpPost = ({ backpressure, ...deps }: HttpPostDeps): HttpPost => {
  const kept = connections({ ...deps, trust: lazy(() => trustOf(deps.env)) });
  const wayOf = waysOf(deps);
  return (request) =>
    new Observable<HttpResponse>((subscriber) => {
      const way = wayOf(request.url);
      if (way.kind === 'direct') {
        return sendDirect({ connections: kept, target: way.target, backpressure, subscriber }, request);
      }
      return proxied().sendThroughProxy({ client: way.client, backpressure, subscriber }, request);
    });
};

/** Throws a TypeError for what is no address, and SetupError for a proxy that cannot be used. */
const waysOf = (deps: HttpClientDeps): ((url: string) => Way) => {
  const clientOf = lazy(() => httpClients(deps));
  const known = recentMap<Way>(KEPT_ADDRESSES);
  return (url) => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const isProxied = proxyOf(deps.env, url) !== undefined;
    const way: Way = isProxied
      ? { kind: 'proxied', client: clientOf()(url) }
      : { kind: 'direct', target: toTarget(url) };
    known.set(url, way);
    return way;
  };
};
