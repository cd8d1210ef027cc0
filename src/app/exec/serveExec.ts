/** Owns wiring the exec-server: from the process's streams to the server and back, and when it is over. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { basename } from 'node:path';
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
import { execServer, localBackend, PROCESS_LIMITS, RETENTION } from '../../executor';
import type { Log } from '../../log';
import { decodeExecMessage, encodeExecMessage } from '../../protocol';
import { decodeUtf8, splitLines } from '../../streams';
import { fromReadable, httpFetch, pressureOf, watchGroups, writeLines } from '../../transport';
import { localFiles } from './files';

/** The process as the exec-server sees it. `stop$` emits when a signal asks it to end. */
export type ServeExecDeps = {
  stdin: Readable;
  stdout: Writable;
  stop$: Observable<unknown>;
  log: Log;
  env: Record<string, string | undefined>;
};

export type ServeExecOptions = { maxProcesses: number; retainBytes: number };

/** Processes wait while more than this waits for the client to read it. */
const MAX_SOURCE_QUEUE_BYTES = 1_048_576;
/** Input waits only beyond this, so that a terminate gets through to a client that reads slowly. */
const MAX_INPUT_QUEUE_BYTES = 67_108_864;
/** Longest message in UTF-16 units; source: codex exec-server 0.169.0 has 64 MiB. */
const MAX_MESSAGE_LENGTH = 67_108_864;
/** How long the last answers may take to leave. */
const FLUSH_MS = 1_000;

/**
 * The exec-server on two streams. Completes when input has ended, the client broke the protocol, or a signal came;
 * then its processes are killed. Emits nothing.
 */
export const serveExec = (deps: ServeExecDeps, options: ServeExecOptions): Observable<never> => {
  const { stdin, stdout, stop$, log, env } = deps;
  const pressure = pressureOf(stdout, MAX_SOURCE_QUEUE_BYTES);
  const shell = env.SHELL || '/bin/sh';
  const server = execServer({
    backend: localBackend({
      spawn,
      pressure,
      signals: constants.signals,
      watch: watchGroups({ spawn }),
      retain: { ...RETENTION, maxTotalBytes: options.retainBytes },
    }),
    limits: { ...PROCESS_LIMITS, maxProcesses: options.maxProcesses },
    environment: env,
    files: localFiles(),
    fetch: httpFetch({ pressure }),
    shell: { name: basename(shell), path: shell },
    newId: randomUUID,
    log,
  });
  return fromReadable<Uint8Array>(stdin, pressureOf(stdout, MAX_INPUT_QUEUE_BYTES)).pipe(
    takeUntil(stop$),
    connect((byte$) =>
      byte$.pipe(
        decodeUtf8(),
        splitLines({ maxLength: MAX_MESSAGE_LENGTH }),
        filter((line) => line.trim() !== ''),
        map(decodeExecMessage),
        server,
        map(encodeExecMessage),
        writeLines(stdout),
        takeUntil(flushedTooLong(byte$, stop$)),
      ),
    ),
  );
};

const flushedTooLong = (byte$: Observable<unknown>, stop$: Observable<unknown>): Observable<unknown> =>
  merge(byte$.pipe(ignoreElements(), endWith(0)), stop$).pipe(mergeMap(() => timer(FLUSH_MS)));
