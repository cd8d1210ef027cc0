/** The exec-server on streams, one message per line: on its own streams, or on each connection to a Unix socket. How much may wait for any client of it. */
import type { Duplex, Readable, Writable } from 'node:stream';
import {
  catchError,
  connect,
  defer,
  EMPTY,
  endWith,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  takeUntil,
  timer,
} from 'rxjs';
import { listenUnix } from '../../io/sockets/listenUnix';
import { fromReadable } from '../../io/stdio/fromInput';
import { backpressureOf, writeLines } from '../../io/stdio/writeLines';
import { decodeExecRequest, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { inputFirst } from '../../streams/time/limits';
import { execServer } from '../server/execServer';
import type { ExecSessions } from '../server/execSessions';
import { openSessions, type SessionsDeps, type SessionsOptions } from './openSessions';

/** Processes wait while more than this waits for the client to read it. */
export const MAX_SOURCE_QUEUE_BYTES = 1_048_576;
/** Input waits only beyond this, so that a terminate gets through to a client that reads slowly. */
export const MAX_INPUT_QUEUE_BYTES = 67_108_864;
/** Longest message; a line is measured in UTF-16 units. Source: codex exec-server 0.142.0 and 0.169.0 have 64 MiB. */
export const MAX_MESSAGE_BYTES = 67_108_864;

type ServeLinesDeps = {
  sessions: ExecSessions;
  stop$: Observable<unknown>;
  log: Log;
  /** Names the streams in the log of a message that cannot be read. */
  source: string;
};

/** How long the last responses may take to be written. */
const FLUSH_MS = 1_000;

/** Completes when input has ended, the client broke the protocol, or `stop$` emitted. Emits nothing. */
const serveLines = (
  { sessions, stop$, log, source }: ServeLinesDeps,
  { stdin, stdout }: { stdin: Readable; stdout: Writable },
): Observable<never> => {
  const backpressure = backpressureOf(stdout, MAX_SOURCE_QUEUE_BYTES);
  return fromReadable<Uint8Array>(stdin, backpressureOf(stdout, MAX_INPUT_QUEUE_BYTES)).pipe(
    takeUntil(stop$),
    connect((byte$) =>
      byte$.pipe(
        decodeUtf8(),
        splitLines({ maxLength: MAX_MESSAGE_BYTES }),
        filter((line) => line.trim() !== ''),
        map(decodeExecRequest),
        execServer({ sessions, backpressure, source, log }),
        filter((item): item is ExecOutgoing => item.kind !== 'ended'),
        map(encodeExecMessage),
        writeLines(stdout),
        takeUntil(flushedTooLong(byte$, stop$)),
      ),
    ),
  );
};

const flushedTooLong = (byte$: Observable<unknown>, stop$: Observable<unknown>): Observable<unknown> =>
  merge(byte$.pipe(ignoreElements(), endWith(0)), stop$).pipe(mergeMap(() => timer(FLUSH_MS, inputFirst)));

type ServeStdioDeps = SessionsDeps & { stdin: Readable; stdout: Writable };

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

type ServeUnixDeps = SessionsDeps & { stdout: Writable };

type ServeUnixOptions = SessionsOptions & {
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

/** A connection that breaks ends without the others. */
const serveSocket = (deps: ServeLinesDeps, socket: Duplex): Observable<never> =>
  serveLines(deps, { stdin: socket, stdout: socket }).pipe(
    catchError((error: Error) => {
      deps.log('info', 'a connection broke', { reason: error.message });
      return EMPTY;
    }),
    finalize(() => socket.end()),
  );
