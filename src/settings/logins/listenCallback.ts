/** The server on loopback that a browser is sent back to at the end of a login. */
import { get } from 'node:http';
import { catchError, delay, map, type Observable, of, retry, throwError } from 'rxjs';
import { failedWith } from '../../io/files/fileError';
import { type LoopbackRequest, listenLoopback } from '../../io/http/listenHttp';
import { isOwnProcess, listsConnectionOwners } from '../../io/sockets/ownProcess';
import { AuthError } from '../auth/authError';
import type { Listening, PendingCallback } from '../auth/browserLogin';

/** The ports that the login page sends browsers back to. Source: Codex 0.28.0 (1455), codex 0.142.0 (1457 if that is taken). */
export const PORTS: readonly number[] = [1455, 1457];

const LOOPBACK = '127.0.0.1';
/** How often the first port is tried again while an older login ends there. */
const RETRIES = 5;
const PAUSE_MS = 200;

/** Emits the server, which closes when unsubscribed. A login that is open on the first port is ended. Errors with AuthError. */
export const listenCallback = ([first = 0, ...others]: readonly number[]): Observable<Listening> => {
  const busy = () =>
    new AuthError(
      `the ports ${[first, ...others].join(' and ')} are in use; end the programs that use them, or log in with --device`,
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

/** Emits a server at a free port, which closes when unsubscribed. */
export const listenAnywhere = (): Observable<Listening> => listenOn(0);

const isTaken = (error: unknown): boolean => failedWith(error, 'EADDRINUSE', 'EACCES');

const onTaken = (next: () => Observable<Listening>) =>
  catchError<Listening, Observable<Listening>>((error) => (isTaken(error) ? next() : throwError(() => error)));

/** Asks a login on this port to end, and emits a moment later in any case. */
const cancelOlder = (port: number): Observable<unknown> => {
  const request = get({ host: LOOPBACK, port, path: '/cancel', timeout: PAUSE_MS, agent: false });
  request.on('response', (response) => response.resume());
  request.on('timeout', () => request.destroy());
  request.on('error', () => {}); // another program may listen there
  return of(null).pipe(delay(PAUSE_MS));
};

const listenOn = (port: number): Observable<Listening> =>
  listenLoopback(port).pipe(map((loopback) => ({ ...loopback, callback$: loopback.request$.pipe(map(toCallback)) })));

/** A browser keeps no connection and no copy, and shows only text. */
const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'x-content-type-options': 'nosniff',
};

const toCallback = ({ request, respond }: LoopbackRequest): PendingCallback => ({
  request: { ...request, isForeign: listsConnectionOwners() && !isOwnProcess(request) },
  respond: ({ status, text }) => respond({ status, headers: HEADERS, text: `${text}\n` }),
});
