/** Listens for HTTP requests at one address, and sends the responses that its source emits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Observable, type OperatorFunction } from 'rxjs';
import { type HttpListenDeps, httpListener, refuse } from './httpListener';
import type { HttpHeaders } from './httpRequest';

/** A request with its whole body; `url` is path and query. `closed`: the connection of a request is gone, or its response is over. */
export type HttpInput =
  | { kind: 'bound'; url: string }
  | { kind: 'request'; id: number; method: string; url: string; headers: HttpHeaders; body: string }
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
