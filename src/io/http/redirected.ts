/**
 * HTTP requests, and where a redirect leads. Own code: the requests are on node:http, which follows none, for the reasons
 * in httpFetch.
 */

/** A header of a request, as it is sent. */
export type HttpHeader = { name: string; value: string };
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
export type RedirectHead = { statusCode?: number; headers: { location?: string } };

/**
 * The request that follows a redirect; undefined where the response is the last one. 303 goes on as GET, and so does a POST after
 * 301 and 302. Credentials go to the same scheme, host and port only.
 * Source: RFC 9110 15.4; the fetch standard, HTTP-redirect fetch.
 */
export const redirected = (call: HttpCall, { statusCode = 0, headers }: RedirectHead): HttpCall | undefined => {
  if (call.redirects === 'stop' || !REDIRECTS.includes(statusCode) || headers.location === undefined) return undefined;
  const url = new URL(headers.location, call.url);
  const isSameOrigin = url.origin === new URL(call.url).origin;
  const own = isSameOrigin ? call.headers : call.headers.filter(({ name }) => !BOUND_TO_ORIGIN.test(name));
  const asGet = statusCode === 303 || (statusCode < 303 && call.method === 'POST');
  if (!asGet) return { ...call, url: url.href, headers: own };
  return { method: 'GET', url: url.href, headers: own.filter(({ name }) => !/^content-/i.test(name)) };
};
