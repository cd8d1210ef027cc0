/**
 * HTTP requests of a client of the exec-server: any method, the response in bytes, redirects followed. On node:http and not
 * undici: fetch refuses methods and headers that Codex sends (CONNECT, TRACE, Host, Connection), joins repeated headers, and
 * decodes bodies, whose bytes the client must get as they are.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { concat, defer, EMPTY, finalize, map, Observable, of, switchMap, throwError } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';
import { fromReadable } from '../stdio/fromInput';
import { http, https } from './nodeHttp';

/** `head` first, then the body in chunks. */
export type HttpPart = { kind: 'head'; status: number; headers: HttpHeader[] } | { kind: 'chunk'; bytes: Uint8Array };

/** Sends nothing before it is subscribed. */
export type HttpFetch = (call: HttpCall) => Observable<HttpPart>;

const MAX_REDIRECTS = 10;

/** Emits the head of the last response, then its body; errors when the connection fails. Unsubscribing ends the request. */
export const httpFetch =
  ({ backpressure }: { backpressure: Backpressure }): HttpFetch =>
  (call) =>
    follow(call, backpressure, MAX_REDIRECTS);

const follow = (call: HttpCall, backpressure: Backpressure, redirectsLeft: number): Observable<HttpPart> =>
  responseTo(call).pipe(
    switchMap((response) => {
      const next = redirected(call, response);
      if (next === undefined) return partsOf(response, backpressure);
      response.destroy(); // its body may have no end
      if (redirectsLeft === 0) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
      return follow(next, backpressure, redirectsLeft - 1);
    }),
  );

/** Events of a response that has no body but another protocol after it. */
const PROTOCOL_CHANGES = ['upgrade', 'connect'];

/** Sends the request. Emits the response once; unsubscribing before that ends the request, and later `partsOf` does. */
const responseTo = (call: HttpCall): Observable<IncomingMessage> =>
  new Observable((subscriber) => {
    const sent = send(call);
    let hasResponse = false;
    sent.on('error', (error) => subscriber.error(error));
    sent.on('response', (response) => {
      hasResponse = true;
      subscriber.next(response);
      subscriber.complete();
    });
    for (const change of PROTOCOL_CHANGES) {
      sent.on(change, (_, socket: Duplex) => {
        socket.destroy();
        subscriber.error(new Error('the server changed to another protocol'));
      });
    }
    return () => hasResponse || sent.destroy();
  });

const send = ({ method, url, headers, body }: HttpCall): ClientRequest => {
  const { request }: Pick<ReturnType<typeof http>, 'request'> = url.startsWith('https:') ? https() : http();
  const sent = request(url, { method });
  for (const { name, value } of headers) sent.appendHeader(name, value);
  sent.end(body);
  return sent;
};

/** The head, then the chunks of the body. Errors when the connection is lost before the end. */
const partsOf = (response: IncomingMessage, backpressure: Backpressure): Observable<HttpPart> => {
  const { rawHeaders, statusCode = 0 } = response;
  const headers = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [{ name: name.toLowerCase(), value: rawHeaders[i + 1] as string }] : [],
  );
  return concat(
    of<HttpPart>({ kind: 'head', status: statusCode, headers }),
    fromReadable<Uint8Array>(response, backpressure).pipe(map((bytes): HttpPart => ({ kind: 'chunk', bytes }))),
    defer(() => (response.complete ? EMPTY : throwError(() => new Error('the connection broke in the body')))),
  ).pipe(finalize(() => response.destroy()));
};

/** A header of a request, as it is sent. */
type HttpHeader = { name: string; value: string };
/** A request of a client of the exec-server; `redirects` says whether they are followed, which is the default. */
export type HttpCall = {
  method: string;
  url: string;
  headers: HttpHeader[];
  body?: Uint8Array;
  redirects?: 'follow' | 'stop';
};

const REDIRECTS = [301, 302, 303, 307, 308];
/** Credentials, and the name of the host they are for. */
const BOUND_TO_ORIGIN = /^(authorization|cookie|host|proxy-authorization)$/i;

/** The head of a response, as far as a redirect needs it. */
type RedirectHead = { statusCode?: number; headers: { location?: string } };

/**
 * The request that follows a redirect; undefined if the response is the last one. 303 goes on as GET, and so does a POST after
 * 301 and 302. Credentials go to the same scheme, host and port only. A redirect to what is no address is the last response.
 * Source: RFC 9110 15.4; the fetch standard, HTTP-redirect fetch.
 */
export const redirected = (call: HttpCall, { statusCode = 0, headers }: RedirectHead): HttpCall | undefined => {
  const { location } = headers;
  if (call.redirects === 'stop' || !REDIRECTS.includes(statusCode) || location === undefined) return undefined;
  if (!URL.canParse(location, call.url)) return undefined;
  const url = new URL(location, call.url);
  const isSameOrigin = url.origin === new URL(call.url).origin;
  const own = isSameOrigin ? call.headers : call.headers.filter(({ name }) => !BOUND_TO_ORIGIN.test(name));
  const asGet = statusCode === 303 || (statusCode < 303 && call.method === 'POST');
  if (!asGet) return { ...call, url: url.href, headers: own };
  return { method: 'GET', url: url.href, headers: own.filter(({ name }) => !/^content-/i.test(name)) };
};
