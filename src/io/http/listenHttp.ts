/** Listens for HTTP requests at one address of this machine, and refuses requests that are not authorized. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Observable, type OperatorFunction, Subject } from 'rxjs';
import type { HttpHeaders } from './httpRequest';
import { http } from './nodeHttp';
import { toListenError } from './toListenError';

/** What a listener emits. */
export type HttpInput =
  | { kind: 'bound'; url: string }

  /** A request with its whole body; `url` is path and query. */
  | { kind: 'request'; id: number; method: string; url: string; headers: HttpHeaders; body: string }

  /** The connection of a request is gone, or its response is over. */
  | { kind: 'closed'; id: number };

/** Parts of responses: a head, texts, the end. Those for a request that is closed are dropped. */
export type HttpOutput =
  | { kind: 'head'; id: number; status: number; headers: Record<string, string> }
  | { kind: 'text'; id: number; text: string }
  | { kind: 'end'; id: number };

/** Longer than any message; a body that never ends must not fill the memory. */
const MAX_BODY_BYTES = 67_108_864;

/**
 * `out$ => in$`, as every transport. Completes and errors with its source; errors when it cannot listen. Unsubscribing ends all connections.
 *   out  -----hte--|    (h head, t text, e end)
 *   in   b-r-----c-|    (b bound, r request, c closed)
 */
export const listenHttp =
  (deps: HttpListenDeps): OperatorFunction<HttpOutput, HttpInput> =>
  (output$) =>
    new Observable((subscriber) => {
      const open = new Map<number, ServerResponse>(); // by the number of the request
      let requests = 0; // numbers the requests
      const onRequest = (request: IncomingMessage, response: ServerResponse) => {
        const id = requests++;
        readBody(request, response, (body) => {
          open.set(id, response);
          const close = () => {
            open.delete(id);
            subscriber.next({ kind: 'closed', id });
          };
          response.on('close', close);
          subscriber.next({ kind: 'request', id, ...toHead(request), body });
        });
      };
      const onBound = (url: string) => subscriber.next({ kind: 'bound', url });
      const stop = httpListener(deps, { onBound, onError: (error) => subscriber.error(error), onRequest });
      subscriber.add(
        output$.subscribe({
          next: (output) => write(open.get(output.id), output),
          error: (error) => subscriber.error(error),
          complete: () => subscriber.complete(),
        }),
      );
      return stop;
    });

const toHead = ({ method = '', url = '', headers }: IncomingMessage) => ({ method, url, headers });

const readBody = (request: IncomingMessage, response: ServerResponse, take: (body: string) => void): void => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('error', () => response.destroy());
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  });
  request.on('end', () => {
    if (bytes > MAX_BODY_BYTES) refuse(request, response, 413);
    else take(Buffer.concat(chunks).toString('utf8'));
  });
};

const write = (response: ServerResponse | undefined, output: HttpOutput): void => {
  if (output.kind === 'head') {
    response?.writeHead(output.status, output.headers);
    response?.flushHeaders();
  } else if (output.kind === 'text') response?.write(output.text);
  else response?.end();
};

export type HttpListenDeps = {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** The HTTP status of the response to a request, or that it is accepted. */
  authorize: (incoming: IncomingRequest) => number | 'accepted';
};

type HttpHandlers = {
  /** Gets the address as `http://HOST:PORT`. */
  onBound: (url: string) => void;
  onError: (error: Error) => void;
  onRequest: (request: IncomingMessage, response: ServerResponse) => void;
};

/** Starts listening. Returns what stops it, with all its connections. */
export const httpListener = ({ host, port, authorize }: HttpListenDeps, handlers: HttpHandlers): (() => void) => {
  const server = http().createServer((request, response) => {
    response.on('error', () => {}); // it closes
    const status = authorize({ ...toIncomingRequest(request), upgrade: false });
    if (status === 'accepted') handlers.onRequest(request, response);
    else refuse(request, response, status);
  });
  server.on('error', (error) => handlers.onError(toListenError({ host, port }, error)));
  server.listen(port, host, () => handlers.onBound(`http://${hostOf(server)}`));
  return () => {
    server.close();
    server.closeAllConnections();
  };
};

/** Answers with a status and a text for people. */
export const refuse = (request: IncomingMessage, response: ServerResponse, status: number): void => {
  request.resume();
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${http().STATUS_CODES[status] ?? status}\n`);
};

/** One end of a TCP connection. */
type SocketAddress = { address: string; port: number };

/** A request that reached the listener. */
export type IncomingRequest = {
  upgrade: boolean;
  method: string;
  url: string;
  /** By names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** Identifies its connection. */
  connection: object;
  /** The ends of that. */
  from: SocketAddress;
  to: SocketAddress;
};

/** The request that Node has read; the listener knows whether it is an upgrade. */
export const toIncomingRequest = ({
  method = '',
  url = '',
  headers,
  socket,
}: IncomingMessage): Omit<IncomingRequest, 'upgrade'> => {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  return {
    method,
    url,
    headers,
    connection: socket,
    from: { address: remoteAddress, port: remotePort },
    to: { address: localAddress, port: localPort },
  };
};

/** `HOST:PORT` of a server that listens, for a URL. */
export const hostOf = (server: Pick<Server, 'address'>): string => {
  const { address, family, port } = server.address() as AddressInfo;
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
};

/** A request without its body, and what answers it. `url` is path and query. */
export type LoopbackRequest = {
  request: Omit<IncomingRequest, 'upgrade'>;
  respond: (response: { status: number; headers: Record<string, string>; text: string }) => void;
};

/** A listener: its port, and the requests that come. */
export type Loopback = { port: number; request$: Observable<LoopbackRequest> };

const LOOPBACK = '127.0.0.1';

/**
 * Emits the listener once it listens; port 0 is any that is free. Errors if it cannot listen. Unsubscribing stops listening: idle connections
 * close, and a response that is under way is still sent.
 *   out  --L-----    (L the listener)
 */
export const listenLoopback = (port: number): Observable<Loopback> =>
  new Observable((subscriber) => {
    const request$ = new Subject<LoopbackRequest>(); // the wire from the server to its subscriber
    const server = http().createServer((request, response) =>
      request$.next({ request: toIncomingRequest(request), respond: respondBy(response) }),
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
