/** One HTTP request and its response, as the port through which models and MCP servers are reached. */
import type { Observable } from 'rxjs';

/** A request, a POST if `method` is absent; header names in lower case. */
export type HttpRequest<B extends HttpBody = string> = {
  url: string;
  headers: Record<string, string>;
  body: B;
  /** How long the connection may take, with proxy and TLS; default: no limit. */
  connectMs?: number;
  /**
   * Its effect must not happen twice, so it is never sent on a kept connection. Through a proxy it may be, but is not sent again if that closes
   * without a response: the server may have read it. Source: RFC 9110, 9.2.2.
   */
  isOnce?: boolean;
  method?: 'GET' | 'DELETE';
};

/** A text is sent as UTF-8; pieces are sent one after another, with the length of all. */
export type HttpBody = string | readonly Uint8Array[];

/** Header names are lower case. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The head of a response, and `body$`, its text as it arrives, to be subscribed once and at once. Header names are lower case. */
export type HttpResponse = { status: number; statusText: string; headers: HttpHeaders; body$: Observable<string> };

/** Sends nothing before it is subscribed; each subscription is a request of its own. */
export type HttpPost<B extends HttpBody = string> = (request: HttpRequest<B>) => Observable<HttpResponse>;
