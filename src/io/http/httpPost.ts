/**
 * The HTTP edge of models, MCP servers behind a URL and logins: one request, its response as a stream of text, decompressed.
 *
 * Node's client and the agents of two packages for proxies, and not undici 7, for these reasons (Node 20.20, undici 7.30):
 * - undici takes 64 ms to load, and 19 ms if only its two agents are bundled; node:http takes 3 ms. The first request of a process takes
 *   75 ms instead of 10, and a first turn may take 80 ms in all.
 * - Its agents turn the response of a proxy that refuses (407) into an error without a body, know no ranges of addresses in `NO_PROXY`,
 *   and send no login that is a name only.
 * - It does not say whether a connection was used before, so a request on a closed one could not be sent again safely.
 * - `relayHttp` and `httpFetch` pass methods and headers on that it refuses, so node:http would stay beside it.
 */
import { Observable } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { type HttpClientDeps, httpClients } from './httpClients';
import type { HttpPost, HttpResponse } from './httpRequest';
import { sendRequest } from './sendRequest';

/** @param backpressure after a chunk the response pauses while `isFull()`, until `drain$` emits */
export type HttpPostDeps = HttpClientDeps & { backpressure: Backpressure };

/**
 * Sends one request.
 * Emits one HttpResponse; completes when its body is over; errors when no response comes, with a TypeError for what is no address, and
 * SetupError for a proxy that cannot be used. A body that breaks errors in `body$`.
 * Unsubscribing, here or from `body$`, ends the request: at once, or after 100 ms when a response has begun.
 */
export const httpPost = ({ backpressure, env }: HttpPostDeps): HttpPost => {
  const clientOf = httpClients({ env });
  return (request) =>
    new Observable<HttpResponse>((subscriber) =>
      sendRequest({ client: clientOf(request.url), backpressure, subscriber }, request),
    );
};
