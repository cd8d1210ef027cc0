/** Listens for HTTP requests of programs on this machine and answers each at once. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Observable, Subject } from 'rxjs';
import { http } from './nodeHttp';

/** A request without its body, and what answers it. `url` is path and query. */
export type LoopbackRequest = {
  request: { method: string; url: string; headers: IncomingHttpHeaders };
  respond: (response: { status: number; headers: Record<string, string>; text: string }) => void;
};

/** A listener: its port, and the requests that come. */
export type Loopback = { port: number; request$: Observable<LoopbackRequest> };

const LOOPBACK = '127.0.0.1';

/**
 * Emits the listener once it listens; port 0 is any that is free. Errors where it cannot listen. Unsubscribing stops listening: idle connections
 * close, and a response that is under way is still sent.
 *   out  --L-----    (L the listener)
 */
export const listenLoopback = (port: number): Observable<Loopback> =>
  new Observable((subscriber) => {
    const request$ = new Subject<LoopbackRequest>(); // the wire from the server to its subscriber
    const server = http().createServer(({ method = '', url = '/', headers }, response) =>
      request$.next({ request: { method, url, headers }, respond: respondBy(response) }),
    );
    server.on('error', (error) => subscriber.error(error));
    server.listen(port, LOOPBACK, () => subscriber.next({ port: (server.address() as AddressInfo).port, request$ }));
    return () => {
      server.close();
      server.closeIdleConnections();
    };
  });

const respondBy =
  (response: ServerResponse): LoopbackRequest['respond'] =>
  ({ status, headers, text }) =>
    void response.writeHead(status, headers).end(text);
