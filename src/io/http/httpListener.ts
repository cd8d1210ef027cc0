/** Listens for HTTP requests at one address of this machine, and refuses those that are not authorized. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostOf, type IncomingRequest, toIncomingRequest } from './incomingRequest';
import { http } from './nodeHttp';
import { toListenError } from './toListenError';

/**
 * @param port 0 for any that is free
 * @param authorize the HTTP status of the response to a request, or that it is accepted
 */
export type HttpListenDeps = {
  host: string;
  port: number;
  authorize: (incoming: IncomingRequest) => number | 'accepted';
};

/** What becomes of the listener and of its requests; `onBound` gets the address as `http://HOST:PORT`. */
export type HttpHandlers = {
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
