/** The server on loopback that a browser is sent back to at the end of a login. */
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catchError, delay, Observable, of, retry, Subject, throwError } from 'rxjs';
import { AuthError, type Listening, type Visit } from '../../auth';
import { failedWith } from '../../files';

/** The ports that the login page sends browsers back to. Source: Codex 0.28.0 (1455), codex 0.142.0 (1457 where that is taken). */
export const PORTS: readonly number[] = [1455, 1457];

const LOOPBACK = '127.0.0.1';
/** How often the first port is tried again while an older login ends there. */
const RETRIES = 5;
const PAUSE_MS = 200;

/** Emits the server, which closes when unsubscribed. A login that is open on the first port is ended. Errors with AuthError. */
export const listenCallback = ([first = 0, ...others]: readonly number[]): Observable<Listening> => {
  const busy = () =>
    new AuthError(
      `the ports ${[first, ...others].join(' and ')} are in use; end the programs there, or log in by --device`,
    );
  const rest$ = others.reduceRight<Observable<Listening>>(
    (next$, port) => listenOn(port).pipe(onTaken(() => next$)),
    throwError(busy),
  );
  return listenOn(first).pipe(
    retry({ count: RETRIES, delay: (error) => (isTaken(error) ? cancelOlder(first) : throwError(() => error)) }),
    onTaken(() => rest$),
  );
};

const isTaken = (error: unknown): boolean => failedWith(error, 'EADDRINUSE', 'EACCES');

const onTaken = (next: () => Observable<Listening>) =>
  catchError<Listening, Observable<Listening>>((error) => (isTaken(error) ? next() : throwError(() => error)));

/** Asks a login on this port to end, and emits a moment later, whatever is there. */
const cancelOlder = (port: number): Observable<unknown> => {
  const request = get({ host: LOOPBACK, port, path: '/cancel', timeout: PAUSE_MS, agent: false });
  request.on('response', (response) => response.resume());
  request.on('timeout', () => request.destroy());
  request.on('error', () => {}); // what is there may be no login
  return of(null).pipe(delay(PAUSE_MS));
};

const listenOn = (port: number): Observable<Listening> =>
  new Observable((subscriber) => {
    const visit$ = new Subject<Visit>(); // the wire from the server to the login
    const server = createServer((request, response) => visit$.next(toVisit(request, response)));
    server.on('error', (error) => subscriber.error(error));
    server.listen(port, LOOPBACK, () => subscriber.next({ port: (server.address() as AddressInfo).port, visit$ }));
    return () => {
      server.close();
      server.closeIdleConnections();
    };
  });

/** A browser keeps no connection and no copy, and shows only text. */
const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
};

const toVisit = ({ method = '', url = '/', headers }: IncomingMessage, response: ServerResponse): Visit => ({
  request: { method, url, headers },
  respond: ({ status, text }) => void response.writeHead(status, HEADERS).end(`${text}\n`),
});
