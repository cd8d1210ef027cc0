/** The exec-server on the process's own streams, and its end. */
import type { Readable, Writable } from 'node:stream';
import type { Observable } from 'rxjs';
import { openSessions, type SessionsDeps, type SessionsOptions } from './openSessions';
import { serveLines } from './serveLines';

export type ServeStdioDeps = SessionsDeps & { stdin: Readable; stdout: Writable };

/**
 * The exec-server on two streams. Completes when input has ended, the client broke the protocol, or `stop$` emitted;
 * then its processes are killed, for no client can resume a session over stdio. Emits nothing.
 */
export const serveStdio = (
  { stdin, stdout, ...around }: ServeStdioDeps,
  options: Pick<SessionsOptions, 'maxProcesses' | 'retainBytes' | 'ceiling'>,
): Observable<never> => {
  const { stop$, log } = around;
  const sessions = openSessions(around, { ...options, graceMs: 0, maxSessions: 1 });
  return serveLines({ sessions, stop$, log, source: 'JSON-RPC message from exec-server stdio' }, { stdin, stdout });
};
