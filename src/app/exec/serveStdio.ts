/** The exec-server on the process's own streams, and its end. */
import type { Readable, Writable } from 'node:stream';
import {
  connect,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  takeUntil,
  timer,
} from 'rxjs';
import { execServer } from '../../executor';
import { decodeExecRequest, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec';
import { decodeUtf8, splitLines } from '../../streams';
import { backpressureOf, fromReadable, writeLines } from '../../transport';
import { MAX_INPUT_QUEUE_BYTES, MAX_MESSAGE_BYTES, MAX_SOURCE_QUEUE_BYTES } from './limits';
import { openSessions, type SessionsOptions, type SessionsSurroundings } from './openSessions';

export type ServeStdioDeps = SessionsSurroundings & { stdin: Readable; stdout: Writable };

/** How long the last answers may take to leave. */
const FLUSH_MS = 1_000;

/**
 * The exec-server on two streams. Completes when input has ended, the client broke the protocol, or `stop$` emitted;
 * then its processes are killed, for no client can resume a session there. Emits nothing.
 */
export const serveStdio = (
  { stdin, stdout, ...around }: ServeStdioDeps,
  options: Pick<SessionsOptions, 'maxProcesses' | 'retainBytes'>,
): Observable<never> => {
  const { stop$, log } = around;
  const server = execServer({
    sessions: openSessions(around, { ...options, graceMs: 0, maxSessions: 1 }),
    backpressure: backpressureOf(stdout, MAX_SOURCE_QUEUE_BYTES),
    source: 'JSON-RPC message from exec-server stdio',
    log,
  });
  return fromReadable<Uint8Array>(stdin, backpressureOf(stdout, MAX_INPUT_QUEUE_BYTES)).pipe(
    takeUntil(stop$),
    connect((byte$) =>
      byte$.pipe(
        decodeUtf8(),
        splitLines({ maxLength: MAX_MESSAGE_BYTES }),
        filter((line) => line.trim() !== ''),
        map(decodeExecRequest),
        server,
        filter((item): item is ExecOutgoing => item.kind !== 'ended'),
        map(encodeExecMessage),
        writeLines(stdout),
        takeUntil(flushedTooLong(byte$, stop$)),
      ),
    ),
  );
};

const flushedTooLong = (byte$: Observable<unknown>, stop$: Observable<unknown>): Observable<unknown> =>
  merge(byte$.pipe(ignoreElements(), endWith(0)), stop$).pipe(mergeMap(() => timer(FLUSH_MS)));
