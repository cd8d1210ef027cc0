/** The exec-server that listens at a Unix socket: many connections, one table of sessions, a message a line. */
import type { Duplex, Writable } from 'node:stream';
import { catchError, defer, EMPTY, finalize, mergeMap, type Observable, of, takeUntil } from 'rxjs';
import { listenUnix } from '../../io/sockets/listenUnix';
import { writeLines } from '../../io/stdio/writeLines';
import { openSessions, type SessionsDeps, type SessionsOptions } from './openSessions';
import { type ServeLinesDeps, serveLines } from './serveLines';

export type ServeUnixDeps = SessionsDeps & { stdout: Writable };

/** The socket, and the limits of the server. */
export type ServeUnixOptions = SessionsOptions & {
  /** The absolute path of the socket. */
  path: string;
  maxConnections: number;
};

/**
 * The exec-server at a socket with mode 0600, whose address it prints on stdout as one line. Completes after `stop$` has emitted
 * and every connection has closed; all processes are killed. Errors when it cannot listen. Emits nothing.
 */
export const serveUnix = (deps: ServeUnixDeps, options: ServeUnixOptions): Observable<never> =>
  defer(() => {
    const { stop$, stdout, log } = deps;
    const { path, maxConnections } = options;
    const sessions = openSessions(deps, options);
    const source = `JSON-RPC message from exec-server unix socket ${path}`;
    return listenUnix({ path, maxSockets: maxConnections }).pipe(
      takeUntil(stop$),
      mergeMap((event) =>
        event.kind === 'bound'
          ? of(`unix://${path}`).pipe(writeLines(stdout))
          : serveSocket({ sessions, stop$, log, source }, event.socket),
      ),
    );
  });

/** A connection that breaks ends alone. */
const serveSocket = (deps: ServeLinesDeps, socket: Duplex): Observable<never> =>
  serveLines(deps, { stdin: socket, stdout: socket }).pipe(
    catchError((error: Error) => {
      deps.log('info', 'a connection broke', { reason: error.message });
      return EMPTY;
    }),
    finalize(() => socket.end()),
  );
