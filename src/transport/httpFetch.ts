/** Owns the HTTP edge of somebody else's request: any method, its answer in bytes, redirects followed. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Observable, type Subscription } from 'rxjs';
import type { Backpressure } from '../streams';
import { fromReadable } from './fromReadable';
import { http, https } from './nodeHttp';

export type HttpHeader = { name: string; value: string };
export type HttpCall = {
  method: string;
  url: string;
  headers: HttpHeader[];
  body?: Uint8Array;
  redirects?: 'follow' | 'stop';
};

/** `head` first, then the body in chunks. */
export type HttpPart = { kind: 'head'; status: number; headers: HttpHeader[] } | { kind: 'chunk'; bytes: Uint8Array };

/** Sends nothing before it is subscribed. */
export type HttpFetch = (call: HttpCall) => Observable<HttpPart>;

const MAX_REDIRECTS = 10;

/**
 * Emits the head of the last answer, then its body; completes at its end, errors when the connection fails.
 * With `redirects: 'stop'` a redirect is the last answer.
 * 303 goes on as GET, and so does a POST after 301 and 302. Unsubscribing ends the request.
 */
export const httpFetch =
  ({ backpressure }: { backpressure: Backpressure }): HttpFetch =>
  (call) =>
    new Observable((subscriber) => {
      let stop = () => {};
      const fail = (error: unknown) => subscriber.error(error);
      const go = (now: HttpCall, left: number): void => {
        const sent = send(now);
        stop = () => sent.destroy();
        sent.on('error', fail).on('response', (response) => orElse(fail, () => hear(now, response, left)));
        for (const turn of OTHER_TALK) {
          sent.on(turn, (_, socket: Duplex) => {
            socket.destroy();
            fail(new Error('the server changed to another protocol'));
          });
        }
      };
      const hear = (now: HttpCall, response: IncomingMessage, left: number): void => {
        const next = redirected(now, response);
        if (next === undefined) {
          subscriber.add(tellAnswer(response, backpressure, subscriber));
          return;
        }
        response.destroy(); // its body may have no end
        if (left === 0) throw new Error(`more than ${MAX_REDIRECTS} redirects`);
        go(next, left - 1);
      };
      orElse(fail, () => go(call, MAX_REDIRECTS));
      return () => stop();
    });

/** What an answer is that has no body but another protocol behind it. */
const OTHER_TALK = ['upgrade', 'connect'];

/** Where Node calls back, nobody else catches what is thrown. */
const orElse = (fail: (error: unknown) => void, act: () => void): void => {
  try {
    act();
  } catch (error) {
    fail(error);
  }
};

const send = ({ method, url, headers, body }: HttpCall): ClientRequest => {
  const { request }: Pick<ReturnType<typeof http>, 'request'> = url.startsWith('https:') ? https() : http();
  const sent = request(url, { method });
  for (const { name, value } of headers) sent.appendHeader(name, value);
  sent.end(body);
  return sent;
};

const tellAnswer = (
  response: IncomingMessage,
  backpressure: Backpressure,
  subscriber: { next: (part: HttpPart) => void; error: (error: unknown) => void; complete: () => void },
): Subscription => {
  const { rawHeaders, statusCode = 0 } = response;
  const headers = rawHeaders.flatMap((name, i) =>
    i % 2 === 0 ? [{ name: name.toLowerCase(), value: rawHeaders[i + 1] as string }] : [],
  );
  subscriber.next({ kind: 'head', status: statusCode, headers });
  return fromReadable<Uint8Array>(response, backpressure).subscribe({
    next: (bytes) => subscriber.next({ kind: 'chunk', bytes }),
    complete: () =>
      response.complete ? subscriber.complete() : subscriber.error(new Error('the connection broke in the body')),
  });
};

const REDIRECTS = [301, 302, 303, 307, 308];

const redirected = (call: HttpCall, { statusCode = 0, headers }: IncomingMessage): HttpCall | undefined => {
  if (call.redirects === 'stop' || !REDIRECTS.includes(statusCode) || headers.location === undefined) return undefined;
  const url = new URL(headers.location, call.url);
  const own =
    url.host === new URL(call.url).host
      ? call.headers
      : call.headers.filter(({ name }) => !/^(authorization|cookie|host|proxy-authorization)$/i.test(name));
  const asGet = statusCode === 303 || (statusCode < 303 && call.method === 'POST');
  if (!asGet) return { ...call, url: url.href, headers: own };
  return { method: 'GET', url: url.href, headers: own.filter(({ name }) => !/^content-/i.test(name)) };
};
