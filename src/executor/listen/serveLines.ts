/** The exec-server on one pair of streams, a message a line. */
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
import { fromReadable } from '../../io/stdio/fromInput';
import { backpressureOf, writeLines } from '../../io/stdio/writeLines';
import { decodeExecRequest, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import { execServer } from '../server/execServer';
import type { ExecSessions } from '../server/execSessions';
import { MAX_INPUT_QUEUE_BYTES, MAX_MESSAGE_BYTES, MAX_SOURCE_QUEUE_BYTES } from './limits';

/** @param source names the streams where a message cannot be read */
export type ServeLinesDeps = { sessions: ExecSessions; stop$: Observable<unknown>; log: Log; source: string };

/** How long the last answers may take to leave. */
const FLUSH_MS = 1_000;

/** Completes when input has ended, the client broke the protocol, or `stop$` emitted. Emits nothing. */
export const serveLines = (
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
  merge(byte$.pipe(ignoreElements(), endWith(0)), stop$).pipe(mergeMap(() => timer(FLUSH_MS)));
